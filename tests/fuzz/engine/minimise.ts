/** Cuts away what a find does not need: halves first, single bytes last. */

const MAX_TRIES = 3_000
const MAX_MS = 10_000

/** `isSame` says whether the shorter input still shows the same defect. */
export async function minimise(
  input: Buffer,
  isSame: (shorter: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let least = input
  const endMs = Date.now() + MAX_MS
  let tries = 0
  for (let size = Math.ceil(least.length / 2); size >= 1;) {
    let isShorter = false
    for (let at = 0; at < least.length;) {
      if (++tries > MAX_TRIES || Date.now() > endMs) return least
      const candidate = Buffer.concat([least.subarray(0, at), least.subarray(at + size)])
      if (await isSame(candidate)) {
        least = candidate
        isShorter = true
      } else at += size
    }
    if (size === 1 && !isShorter) return least
    size = size === 1 ? 1 : Math.ceil(size / 2)
  }
  return least
}
