/** Asks until it is so; what it throws meanwhile is a no. */
import { setTimeout as sleep } from 'node:timers/promises'

export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 20_000,
): Promise<void> {
  const endMs = Date.now() + timeoutMs
  for (;;) {
    try {
      if (await condition()) return
    } catch (error) {
      if (Date.now() > endMs) throw error
    }
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}`)
    await sleep(10)
  }
}
