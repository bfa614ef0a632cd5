/** What a public link shows: literal lists, so that nothing new of an event becomes public by itself. */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import { issueEvent } from '../events/event-by-id.ts'
import type { QueryDeps } from '../query-deps.ts'
import { issueRow, selectIssues } from './issue-row.ts'

/** Tags that say what ran, not who. */
export const SHARED_TAGS = [
  'browser',
  'browser.name',
  'device.family',
  'dist',
  'environment',
  'handled',
  'level',
  'mechanism',
  'os',
  'os.name',
  'release',
  'runtime',
  'runtime.name',
] as const

const SHARED_FRAME = [
  'function',
  'module',
  'filename',
  'lineno',
  'colno',
  'pre_context',
  'context_line',
  'post_context',
  'in_app',
] as const
export type SharedFrame = Pick<Frame, (typeof SHARED_FRAME)[number]>

export type SharedException = {
  readonly type: string
  readonly value: string
  /** The most recent call first; at most 100. */
  readonly frames: readonly SharedFrame[]
}

export type SharedIssue = {
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly level: string
  readonly platform: string
  readonly projectName: string
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly eventCount: number
  /** Of the newest event; undefined: retention has removed all. */
  readonly event:
    | {
        readonly timestampMs: number
        readonly exceptions: readonly SharedException[]
        readonly tags: readonly { readonly key: string; readonly value: string }[]
      }
    | undefined
}

const MAX_FRAMES = 100
const MAX_EXCEPTIONS = 10

/** Whoever asks has a link (`commands.openShare`), no grant. */
export async function sharedIssue(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  issueId: number,
): Promise<SharedIssue | undefined> {
  const row = await selectIssues(deps.records).where('issue.id', '=', issueId).executeTakeFirst()
  if (!row) return undefined
  const issue = issueRow(row)
  const found = await issueEvent(deps, issue, 'latest')
  const { shortId, title, culprit, level, platform, firstSeenMs, lastSeenMs, eventCount } = issue
  return {
    shortId,
    title,
    culprit,
    level,
    platform,
    projectName: issue.project.name,
    firstSeenMs,
    lastSeenMs,
    eventCount,
    event: found && {
      timestampMs: found.timestampMs,
      exceptions: exceptionsOf(found.event),
      tags: tagsOf(found.event),
    },
  }
}

const exceptionsOf = ({ exception = [] }: NormalizedEvent): readonly SharedException[] =>
  exception.slice(-MAX_EXCEPTIONS).map(({ type = '', value = '', stacktrace }) => ({
    type,
    value,
    frames: (stacktrace?.frames ?? [])
      .slice(-MAX_FRAMES)
      .toReversed()
      .map((frame) => sharedFrame(frame)),
  }))

const sharedFrame = (frame: Frame): SharedFrame =>
  Object.fromEntries(
    SHARED_FRAME.flatMap((name) => (frame[name] === undefined ? [] : [[name, frame[name]]])),
  ) as unknown as SharedFrame

function tagsOf({ tags = [] }: NormalizedEvent): readonly { readonly key: string; readonly value: string }[] {
  const known = new Map(tags.map(([key, value]) => [key, value]))
  return SHARED_TAGS.flatMap((key) => {
    const value = known.get(key)
    return value === undefined || value === null ? [] : [{ key, value }]
  })
}

export type ShareState = {
  readonly createdMs: number
  readonly expiresMs: number
}

/** The link of an issue that is open; the issue comes from `findIssue` within a grant. */
export async function issueShare(
  { records, clock }: Pick<QueryDeps, 'records' | 'clock'>,
  issueId: number,
): Promise<ShareState | undefined> {
  const row = await records
    .selectFrom('issue_share')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('revoked_ms', 'is', null)
    .where('expires_ms', '>', clock.nowMs())
    .orderBy('issue_share.id', 'desc')
    .executeTakeFirst()
  return (
    row && {
      createdMs: row.created_ms,
      expiresMs: row.expires_ms,
    }
  )
}

export async function allowsPublicLinks(
  { records }: Pick<QueryDeps, 'records'>,
  orgId: number,
): Promise<boolean> {
  const row = await records
    .selectFrom('organization')
    .select('allows_public_links')
    .where('id', '=', orgId)
    .executeTakeFirst()
  return row?.allows_public_links === 1
}
