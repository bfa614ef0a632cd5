/** Stored events that were or are being read again with source maps that came late: open ones first, then the newest. */
import type { Grant } from '@sonde/access'
import type { Records, ReprocessingCause, ReprocessingTarget, TrackerKind } from '@sonde/stores'
import { sql } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'

/** Whether an event is waiting to be read again with source maps that came after it. */
export type OpenReprocessing = {
  readonly requestedMs: number
  readonly isRunning: boolean
  /** Why it goes on later, for people; empty: no trouble. */
  readonly trouble: string
}

export type ReprocessedEvent = {
  /** Of its scripts, in any form. */
  readonly debugIds: readonly string[]
  readonly release: string | undefined
}

/** Uploads come one after the other; what lies behind so many is told by the next look. */
const MAX_OPEN = 50

/** The first of the organization's open reprocessing runs whose target the event may be. Undefined: none. */
export async function openReprocessing(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  event: ReprocessedEvent,
): Promise<OpenReprocessing | undefined> {
  const rows = await records
    .selectFrom('repair')
    .select(['target', 'requested_ms', 'started_ms', 'trouble'])
    .where('org_id', '=', orgId)
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .limit(MAX_OPEN)
    .execute()
  const ids = new Set(event.debugIds.map(plain))
  const found = rows.find(({ target }) => {
    const { debugIds, projectIds, release, scrub } = JSON.parse(target) as ReprocessingTarget
    if (scrub) return false
    if (debugIds.some((id) => ids.has(plain(id)))) return true
    if (!projectIds.includes(projectId)) return false
    // Somebody asked for all that is not readable.
    return release === undefined ? debugIds.length === 0 : release === event.release
  })
  return (
    found && {
      requestedMs: found.requested_ms,
      isRunning: found.started_ms !== null,
      trouble: found.trouble,
    }
  )
}

const plain = (id: string): string => id.toLowerCase().replaceAll('-', '')

export type RecentReprocessing = {
  readonly id: number
  readonly cause: ReprocessingCause
  /** `actorOf` who uploaded or asked. */
  readonly actor: string
  /** Empty: events with one of the debug ids. */
  readonly release: string
  readonly debugIds: number
  readonly requestedMs: number
  readonly startedMs: number | undefined
  readonly finishedMs: number | undefined
  /** How many there are to look at, where that is known. */
  readonly total: number | undefined
  /** Events that were looked at, that are different now, that have another issue now; issues that are gone by it. */
  readonly seen: number
  readonly changed: number
  readonly moved: number
  readonly merged: number
  /** Empty: none. */
  readonly trouble: string
}

/** Far more than stand on the screen: targets lie in JSON, so the project's are picked here. */
const MAX_READ = 200

/** Of the project, or of all projects (those for debug ids). `isScrub`: those that apply scrubbing rules, instead of others. */
export async function recentReprocessing(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  limit = 10,
  isScrub = false,
): Promise<readonly RecentReprocessing[]> {
  const rows = await records
    .selectFrom('repair')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy(sql`finished_ms IS NOT NULL`)
    .orderBy('id', 'desc')
    .limit(MAX_READ)
    .execute()
  return rows
    .map((row) => ({ row, target: JSON.parse(row.target) as ReprocessingTarget }))
    .filter(({ target }) => target.projectIds.length === 0 || target.projectIds.includes(projectId))
    .filter(({ target }) => (target.scrub === true) === isScrub)
    .slice(0, limit)
    .map(({ row, target }) => ({
      id: row.id,
      cause: row.cause,
      actor: row.actor,
      release: target.release ?? '',
      debugIds: target.debugIds.length,
      requestedMs: row.requested_ms,
      startedMs: row.started_ms ?? undefined,
      finishedMs: row.finished_ms ?? undefined,
      total: row.total_count ?? undefined,
      seen: row.seen_count,
      changed: row.changed_count,
      moved: row.moved_count,
      merged: row.merged_count,
      trouble: row.trouble,
    }))
}

// What people call who did something: `user:…`, `token:…` and `operator:…` as `actorOf` writes them, `commit:…` of a fix,
// `tracker:…` for what came from an issue tracker, `channel:…` from a channel's other program.

/** By actor. Who or what was deleted since is named by its kind. */
export async function actorNames(
  records: Records,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (kind: string): string[] =>
    actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1))
  const [users, tokens, commits, trackers, channels] = await Promise.all([
    usersOf(records, [...new Set(idsOf('user'))]),
    tokensOf(records, [...new Set(idsOf('token'))].map(Number)),
    commitsOf(records, [...new Set(idsOf('commit'))].map(Number)),
    trackersOf(records, [...new Set(idsOf('tracker'))].map(Number)),
    channelsOf(records, [...new Set(idsOf('channel'))].map(Number)),
  ])
  return new Map(
    [...new Set(actors)].map((actor) => {
      const [kind = '', ...rest] = actor.split(':')
      const id = rest.join(':')
      if (kind === 'user') return [actor, users.get(id) ?? 'a former member']
      if (kind === 'token') return [actor, `token ${tokens.get(Number(id)) ?? 'that is gone'}`]
      if (kind === 'commit') return [actor, commits.get(Number(id)) ?? 'a commit']
      if (kind === 'tracker') return [actor, trackers.get(Number(id)) ?? 'an issue tracker']
      if (kind === 'channel') return [actor, channels.get(Number(id)) ?? 'a channel that is gone']
      return [actor, NAMED_BY_KIND[kind] ?? 'the operator']
    }),
  )
}

/** Of these it does not matter which one it was. */
const NAMED_BY_KIND: Readonly<Record<string, string>> = {
  rule: 'an alert rule',
  sso: 'single sign-on',
  scim: 'SCIM',
}

const TRACKER_NAMES: Readonly<Record<TrackerKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  jira: 'Jira',
  linear: 'Linear',
}

async function trackersOf(records: Records, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('tracker_connection')
    .select(['id', 'kind'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, kind }) => [id, TRACKER_NAMES[kind]]))
}

async function usersOf(records: Records, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('user')
    .select(['id', 'name', 'email'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name, email }) => [id, name === '' ? email : name]))
}

async function tokensOf(records: Records, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records.selectFrom('api_token').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** `commit 1a2b3c4d by Ada`. */
async function commitsOf(records: Records, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('source_commit')
    .select(['id', 'sha', 'author_name', 'author_email'])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, sha, author_name: name, author_email: email }) => {
      const author = name || email
      return [id, `commit ${sha.slice(0, 8)}${author === '' ? '' : ` by ${author}`}`]
    }),
  )
}

async function channelsOf(records: Records, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('notification_channel')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
