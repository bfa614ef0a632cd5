/**
 * Lets few password hashes run at once. Each takes 32 MiB and a thread of libuv's pool for tens of milliseconds, and
 * everybody may ask for one: without a bound a burst of sign-ins takes memory and threads from everything else.
 */

/** libuv has four threads unless told otherwise; files and DNS want some too. */
export const HASHES_AT_ONCE = 2
/** About two seconds of hashing; who comes later is better off trying again. */
const MAX_WAITING = 50
/** One network must not be the whole queue. */
const MAX_WAITING_OF_ONE = 10
export const GATE_RETRY_SEC = 5

export type HashGate = {
  /**
   * Waits for its turn; the returned function ends it. Undefined at once when too many wait. Browsers that signed in
   * before, and people who are signed in, wait in a queue of their own that goes first.
   */
  enter(who: {
    readonly isKnown: boolean
    readonly network?: string | undefined
  }): Promise<(() => void) | undefined>
}

type Waiting = { readonly network: string | undefined; readonly start: () => void }

export function createHashGate(): HashGate {
  let running = 0
  const known: Waiting[] = []
  const strangers: Waiting[] = []
  const leaveOnce = (): (() => void) => {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const next = known.shift() ?? strangers.shift()
      if (next) next.start()
      else running -= 1
    }
  }
  return {
    async enter({ isKnown, network }) {
      if (running < HASHES_AT_ONCE) {
        running += 1
        return leaveOnce()
      }
      const queue = isKnown ? known : strangers
      if (queue.length >= MAX_WAITING) return undefined
      const ofOne = network === undefined ? 0 : queue.filter((each) => each.network === network).length
      if (ofOne >= MAX_WAITING_OF_ONE) return undefined
      await new Promise<void>((resolve) => queue.push({ network, start: resolve }))
      return leaveOnce()
    },
  }
}
