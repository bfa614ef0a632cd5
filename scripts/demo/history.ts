/**
 * The days before today. The protocol takes events that happened earlier, as from pages that were offline: what was
 * recorded is sent again through the real door, with times moved into the past and new ids. Each release's recordings
 * fill the days on which it would have been out.
 */
import { moveEnvelope, type Move } from './move-envelope.ts'
import type { Progress } from './progress.ts'
import type { Recorded } from './recorder.ts'
import { RELEASES } from './shop.ts'
import { unitsOf, type Unit } from './units.ts'

export const HISTORY_DAYS = 14
const DAY_MS = 86_400_000
/** Of ten, those in which something went wrong: a quiet shop has nothing to show. */
const BAD_IN_TEN = 2
/** On a usual weekday. Each is a page load or navigation with everything that belongs to it. */
const UNITS_A_DAY = 130
const AT_ONCE = 8
/** Day before today on which each release came out. */
const OUT_SINCE_DAYS = [HISTORY_DAYS, 8, 2] as const
/** People whose tab a deployment found open. */
const STALE_TABS = 34
const DEPLOYED_AT_HOUR = 9

/** When the release of that place in `RELEASES` went live. */
export const deployedAtMs = (index: number, nowMs: number): number =>
  outSinceMs(index, nowMs) + DEPLOYED_AT_HOUR * 3_600_000

const outSinceMs = (index: number, nowMs: number): number =>
  new Date(nowMs - (OUT_SINCE_DAYS[index] ?? 0) * DAY_MS).setHours(0, 0, 0, 0)

/** Shops are visited in the evening. */
export const BY_HOUR = [2, 1, 1, 1, 1, 2, 4, 7, 9, 10, 11, 12, 13, 12, 11, 11, 12, 14, 17, 20, 21, 18, 12, 6]

export async function sendHistory(options: {
  readonly recorded: readonly Recorded[]
  readonly sondeUrl: string
  readonly progress: Progress
}): Promise<{ readonly days: number; readonly visits: number }> {
  const units = unitsOf(options.recorded)
  const plan = planDays(units, Date.now())
  let done = 0
  let next = 0
  const work = async (): Promise<void> => {
    for (let item = plan[next++]; item; item = plan[next++]) {
      const move: Move = { shiftMs: item.atMs - item.unit.atMs, ids: new Map() }
      for (const sent of item.unit.sent) await post(options.sondeUrl, sent, moveEnvelope(sent.envelope, move))
      options.progress.count('page loads and navigations of the days before', ++done, plan.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { days: HISTORY_DAYS, visits: done }
}

type Planned = { readonly unit: Unit; readonly atMs: number }

/** Oldest first: an issue is first seen when it first happened. */
function planDays(units: readonly Unit[], nowMs: number): Planned[] {
  const random = createRandom(7)
  const plan: Planned[] = []
  for (let day = HISTORY_DAYS; day >= 1; day--) {
    const out = RELEASES.findLast((_, index) => day <= (OUT_SINCE_DAYS[index] ?? 0))
    const usable = units.filter(
      ({ release, isStale }) => !isStale && (release === out || release === undefined),
    )
    if (usable.length === 0) continue
    const bad = usable.filter(({ isBad }) => isBad)
    const midnight = new Date(nowMs - day * DAY_MS).setHours(0, 0, 0, 0)
    const isWeekend = [0, 6].includes(new Date(midnight).getDay())
    const count = UNITS_A_DAY * (isWeekend ? 1.35 : 1) * (0.85 + random() * 0.3) * (day <= 2 ? 1.2 : 1)
    for (let index = 0; index < count; index++) {
      const wanted = random() * 10 < BAD_IN_TEN && bad.length > 0 ? bad : usable
      const unit = wanted[Math.floor(random() * wanted.length)] as Unit
      plan.push({ unit, atMs: midnight + hourOf(random()) * 3_600_000 + random() * 3_600_000 })
    }
  }
  plan.push(...staleTabs(units, nowMs, random))
  return plan.toSorted((a, b) => a.atMs - b.atMs).filter(({ atMs }) => atMs < nowMs)
}

/** After each deployment, for some hours: tabs that were open before it, fewer and fewer of them. */
function staleTabs(units: readonly Unit[], nowMs: number, random: () => number): Planned[] {
  return RELEASES.slice(1).flatMap((_, index) => {
    const left = units.filter(({ isStale, release }) => isStale && release === RELEASES[index])
    const deployedMs = deployedAtMs(index + 1, nowMs)
    return Array.from({ length: left.length > 0 ? STALE_TABS : 0 }, () => ({
      unit: left[Math.floor(random() * left.length)] as Unit,
      atMs: deployedMs - 3 * Math.log(1 - random()) * 3_600_000,
    }))
  })
}

function hourOf(random: number): number {
  const all = BY_HOUR.reduce((sum, weight) => sum + weight, 0)
  let left = random * all
  return BY_HOUR.findIndex((weight) => (left -= weight) < 0)
}

async function post(
  sondeUrl: string,
  sent: Unit['sent'][number],
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const headers: Record<string, string> = { 'content-type': 'application/x-sentry-envelope' }
  if (sent.auth !== undefined) headers['x-sentry-auth'] = sent.auth
  if (sent.userAgent !== undefined) headers['user-agent'] = sent.userAgent
  const answer = await fetch(sondeUrl + sent.path, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`Sonde did not take the history: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

/** The same numbers at every run: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
