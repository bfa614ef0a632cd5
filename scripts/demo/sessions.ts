/**
 * Sessions of the last days, as a server's SDK counts them: by the hour, more in the evening, and more crashes in the
 * release that came last. Sonde takes sessions up to five days back, so there are no more.
 */
import { BY_HOUR, deployedAtMs } from './history.ts'
import { type Item, sendItems } from './send-items.ts'
import { RELEASES } from './shop.ts'

const HOUR_MS = 3_600_000
const HOURS = 110
const AN_ENVELOPE = 40
/** Of a thousand sessions, by the release's place. */
const CRASHED = [2, 1, 9] as const
const ERRORED = [14, 12, 31] as const

export async function sendSessions(dsn: string): Promise<number> {
  const nowMs = Date.now()
  const items = Array.from({ length: HOURS }, (_, back) => hourOf(nowMs - back * HOUR_MS, nowMs)).flat()
  for (let first = 0; first < items.length; first += AN_ENVELOPE)
    await sendItems(
      dsn,
      items.slice(first, first + AN_ENVELOPE).map(({ item }) => item),
    )
  return items.reduce((sum, { sessions }) => sum + sessions, 0)
}

function hourOf(atMs: number, nowMs: number): { readonly item: Item; readonly sessions: number }[] {
  const started = Math.floor(atMs / HOUR_MS) * HOUR_MS
  const visitors = (BY_HOUR[new Date(started).getHours()] ?? 1) * 9
  const newest = RELEASES.findLastIndex((_, index) => deployedAtMs(index, nowMs) <= started)
  // A few stay in the tab that they had.
  const shares = newest > 0 ? [[newest, 0.93] as const, [newest - 1, 0.07] as const] : [[0, 1] as const]
  return shares.map(([index, share]) => {
    const sessions = Math.max(1, Math.round(visitors * share))
    const part = (perThousand: number): number =>
      Math.min(sessions, Math.floor((sessions * perThousand) / 1000 + ((started / HOUR_MS) % 7) / 7))
    const [crashed, errored] = [part(CRASHED[index] ?? 0), part(ERRORED[index] ?? 0)]
    const aggregate = {
      started: new Date(started).toISOString(),
      exited: Math.max(0, sessions - crashed - errored),
      errored,
      crashed,
    }
    const attrs = { release: RELEASES[index], environment: 'production' }
    return { item: [{ type: 'sessions' }, { aggregates: [aggregate], attrs }] as const, sessions }
  })
}
