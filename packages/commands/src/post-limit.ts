/** How often one address may post where no sign-in is asked for. Per process, and forgotten with it. */
import { createBoundedMap } from '@sonde/base'

const MINUTE_MS = 60_000
const MAX_ADDRESSES = 10_000

export type PostLimitOptions = { readonly postsAMinute: number; readonly nowMs: () => number }

/** Returns the seconds to wait; 0: it may. */
export function createPostLimit({ postsAMinute, nowMs }: PostLimitOptions): (address: string) => number {
  const posts = createBoundedMap<string, { readonly untilMs: number; count: number }>(MAX_ADDRESSES)
  return (address) => {
    const atMs = nowMs()
    const known = posts.get(address)
    const window = known && known.untilMs > atMs ? known : { untilMs: atMs + MINUTE_MS, count: 0 }
    if (window !== known) posts.set(address, window)
    window.count++
    return window.count <= postsAMinute ? 0 : Math.ceil((window.untilMs - atMs) / 1_000)
  }
}
