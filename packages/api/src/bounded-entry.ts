/** Lets so many in at once; the others wait for their turn, but not for ever. */
import { UnavailableError } from '@sonde/base'

/** What it resolves to is called once, to leave. Throws `UnavailableError` after `waitMs`. */
export type Enter = () => Promise<() => void>

export function boundedEntry(most: number, waitMs: number): Enter {
  let inside = 0
  const waiting = new Set<() => void>()

  const leave = (): void => {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next()
    } else inside--
  }
  const once = (): (() => void) => {
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }

  return () => {
    if (inside < most) {
      inside++
      return Promise.resolve(once())
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(late)
        resolve(once())
      }
      const late = setTimeout(() => {
        waiting.delete(admit)
        reject(
          new UnavailableError('too many uploads at once', { operation: 'take an upload', retryAfterSec: 5 }),
        )
      }, waitMs)
      waiting.add(admit)
    })
  }
}
