/** The states that clients of Sentry's API send. */
import { InvalidInput, OPEN_SUBSTATUSES, type Resolution, type UpdateIssuesInput } from '@sonde/commands'
import type { JsonBody } from './json-body.ts'

/** `muted` is what sentry-cli 2 calls `ignored`. */
const STATUSES: ReadonlyMap<string, UpdateIssuesInput['status']> = new Map([
  ['resolved', 'resolved'],
  ['resolvedInNextRelease', 'resolved'],
  ['ignored', 'ignored'],
  ['muted', 'ignored'],
  ['archived', 'ignored'],
  ['unresolved', 'unresolved'],
])

/** Undefined when the body asks for no change of state. An unknown one goes to the command, which says what is allowed. */
export function statusFrom(body: JsonBody): UpdateIssuesInput['status'] | undefined {
  const text = body.text('status')
  return text === undefined ? undefined : (STATUSES.get(text) ?? (text as UpdateIssuesInput['status']))
}

/**
 * `substatus` of a change to unresolved, as an answer said it: what was changed by mistake can be put back exactly. How
 * long an issue is archived, which clients say there too, is not for us to choose between: we have one way.
 */
export function substatusFrom(body: JsonBody): UpdateIssuesInput['substatus'] {
  if (statusFrom(body) !== 'unresolved') return undefined
  return OPEN_SUBSTATUSES.find((known) => known === body.text('substatus'))
}

/** Whether `statusFrom` knew it. */
export const isStatus = (status: string): boolean => STATUSES.has(status)

/**
 * `statusDetails` of a change to resolved: `{inRelease: "1.0" or "latest"}`, `{inNextRelease: true}`,
 * `{inCommit: {commit, repository}}`. Undefined: resolved at once. Throws `InvalidInput` for what is none of these.
 */
export function resolutionFrom(body: JsonBody): Resolution | undefined {
  if (body.text('status') === 'resolvedInNextRelease') return { kind: 'next_release' }
  const details = new Map(Object.entries(body.value('statusDetails') ?? {}) as [string, unknown][])
  const version = details.get('inRelease')
  if (typeof version === 'string') return { kind: 'release', version }
  if (details.get('inNextRelease') === true || details.get('inUpcomingRelease') === true)
    return { kind: 'next_release' }
  const inCommit = details.get('inCommit')
  if (inCommit === undefined && version === undefined) return undefined
  const { commit: sha, repository } = (inCommit ?? {}) as Record<string, unknown>
  if (typeof sha !== 'string')
    throw new InvalidInput('resolve issues', { statusDetails: ['names no release and no commit'] })
  return { kind: 'commit', sha, ...(typeof repository === 'string' && { repository }) }
}
