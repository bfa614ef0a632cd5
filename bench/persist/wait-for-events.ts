/** Waits for what is on its way. */
import { setTimeout as sleep } from 'node:timers/promises'

const STUCK_AFTER_MS = 20_000
const LOOK_EVERY_MS = 100

type Waited = {
  queryable(): Promise<number>
  /** What is said when it fails. */
  log(): string
}

/** Until that many can be queried; returns when they could. Fails when nothing moves any more. */
export async function waitForEvents({ queryable, log }: Waited, events: number): Promise<number> {
  let seen = -1
  let movedMs = Date.now()
  for (;;) {
    const now = await queryable()
    if (now >= events) return Date.now()
    if (now !== seen) movedMs = Date.now()
    if (Date.now() - movedMs > STUCK_AFTER_MS)
      throw new Error(`${now} of ${events} events can be queried, and no more come\n${log()}`)
    seen = now
    await sleep(LOOK_EVERY_MS)
  }
}
