/**
 * A deployment gate for the API: a rule that judges each release a minute after its deploy. What its server counted of
 * sessions is made up, so that the release that the team deploys today is worse than the one before.
 */
import type { Mailbox } from './mailbox.ts'
import { type Item, sendItems } from './send-items.ts'

type Call = (method: string, path: string, body?: object) => Promise<unknown>

const NAME = 'Deployment gate'
/** After its minute the rule is looked at every 15 seconds. */
const TOLD_WITHIN_MS = 150_000
const SESSIONS = 4_000
const CRASHED = { before: 9, now: 214 } as const

/** Of data that was kept it is there already. */
export async function setGate(api: Call, channelId: number): Promise<void> {
  const rules = (await api('GET', 'projects/default/api/release-rules/')) as readonly { name: string }[]
  if (rules.some(({ name }) => name === NAME)) return
  await api('POST', 'projects/default/api/release-rules/', {
    name: NAME,
    begins: 'deploy',
    afterMinutes: 1,
    verdicts: ['worse'],
    environment: 'production',
    actions: [{ type: 'slack', integrationId: channelId }],
  })
}

/** Returns when it was deployed. */
export async function deployWorse(
  api: Call,
  dsn: string,
  { release, before }: { readonly release: string; readonly before: string },
): Promise<number> {
  const finishedMs = Date.now()
  const counted = (version: string, crashed: number): Item => {
    const aggregates = [
      { started: new Date(finishedMs - 60_000).toISOString(), exited: SESSIONS - crashed, crashed },
    ]
    return [{ type: 'sessions' }, { aggregates, attrs: { release: version, environment: 'production' } }]
  }
  await sendItems(dsn, [counted(before, CRASHED.before), counted(release, CRASHED.now)])
  await api('POST', `organizations/default/releases/${encodeURIComponent(release)}/deploys/`, {
    environment: 'production',
    dateStarted: new Date(finishedMs - 40_000).toISOString(),
    dateFinished: new Date(finishedMs).toISOString(),
  })
  return finishedMs
}

export async function gateIsTold(
  mailbox: Mailbox,
  deployedMs: number,
): Promise<{ readonly atMs: number; readonly text: string }> {
  return mailbox.until(deployedMs, ({ text }) => text.includes(' is worse than '), TOLD_WITHIN_MS)
}
