/** Troubles that show in what is stored: mail that fails, silence, and most of what is sent being refused. */
import type { Clock } from '@sonde/base'
import type { OutcomeCount } from '@sonde/queries'
import type { Records } from '@sonde/stores'
import type { PartReport } from './report.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Only what is found. `outcomes`: of the last 24 hours. */
export async function storedTroubles(
  records: Records,
  outcomes: readonly OutcomeCount[],
  clock: Clock,
): Promise<readonly PartReport[]> {
  const sinceMs = clock.nowMs() - DAY_MS
  const found = await Promise.all([failedMail(records, sinceMs), silence(records, outcomes, sinceMs)])
  return [...found, refused(outcomes)].flatMap((part) => part ?? [])
}

async function failedMail(records: Records, sinceMs: number): Promise<PartReport | undefined> {
  const newest = await records
    .selectFrom('notification')
    .select(['state', 'answer', 'done_ms'])
    .where('medium', '=', 'email')
    .where('state', 'in', ['failed', 'sent'])
    .where('done_ms', '>', sinceMs)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  const rows = newest.toSorted((a, b) => Number(b.done_ms) - Number(a.done_ms))
  const failed = rows.findIndex(({ state }) => state === 'sent')
  const count = failed < 0 ? rows.length : failed
  const [last] = rows
  if (count === 0 || last === undefined) return undefined
  const mails = count === 1 ? 'the last mail' : `the last ${count} mails`
  const detail = `${mails} failed: ${last.answer}. Check SONDE_SMTP_URL and SONDE_MAIL_FROM`
  return { name: 'mail', state: 'degraded', detail }
}

/** New installations are silent too, and well. */
async function silence(
  records: Records,
  outcomes: readonly OutcomeCount[],
  sinceMs: number,
): Promise<PartReport | undefined> {
  if (outcomes.length > 0) return undefined
  const { projects } = await records
    .selectFrom('project')
    .where('first_event_ms', '<', sinceMs)
    .select((count) => count.fn.countAll<number>().as('projects'))
    .executeTakeFirstOrThrow()
  if (projects === 0) return undefined
  const detail = `no data in the last 24 hours, though ${projects} project${projects === 1 ? ' has' : 's have'} had events: see whether the address in the DSNs reaches Sonde from where the applications run, and whether their keys are active`
  return { name: 'silence', state: 'degraded', detail }
}

const MANY = 100

function refused(outcomes: readonly OutcomeCount[]): PartReport | undefined {
  const sum = (counted: readonly OutcomeCount[]): number =>
    counted.reduce((total, { quantity }) => total + quantity, 0)
  const limited = outcomes.filter(({ outcome }) => outcome === 'rate_limited')
  const [items, all] = [sum(limited), sum(outcomes)]
  if (items < MANY || items * 2 < all) return undefined
  const most = limited.toSorted((a, b) => b.quantity - a.quantity)[0]
  const detail = `${Math.round((items / all) * 100)}% of the items of the last 24 hours were refused, most of them ${most?.category} (${most?.reason}): raise the limits of the project (Settings, Rate limits), or send less`
  return { name: 'dropped', state: 'degraded', detail }
}
