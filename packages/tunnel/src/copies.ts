/** Copies of envelopes for a second server: nobody waits for them, and what is wrong with it harms nobody else. */
import { readBase } from './allowed.ts'
import { type Forwarded, forward } from './forward.ts'

type Bounds = {
  /** Of all copies that are on their way. */
  readonly maxBufferedBytes: number
  readonly timeoutMs: number
}

/** Undefined: there are too many on their way, and this one is left out. The promise never rejects. Throws a `TypeError`. */
export function createCopies(
  to: string,
  { maxBufferedBytes, timeoutMs }: Bounds,
): (envelope: Forwarded) => Promise<void> | undefined {
  const base = readBase('also', to)
  let bufferedBytes = 0
  return (envelope) => {
    const { length } = envelope.bytes
    if (bufferedBytes + length > maxBufferedBytes) return undefined
    bufferedBytes += length
    return forward({ ...envelope, base }, AbortSignal.timeout(timeoutMs))
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        bufferedBytes -= length
      })
  }
}
