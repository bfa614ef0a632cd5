/** Real SQLite and real ClickHouse in this process, with one organization beside another. */
import type { Grant } from '@sonde/access'
import { grantOf } from '@sonde/access/grant'
import { fixedClock } from '@sonde/base'
import type { QueryDeps } from '@sonde/queries'
import { encodeEventRow, encodeIndexRow, type EventFields, type IssueTable, withIssueId } from '@sonde/stores'
import type { Insertable } from 'kysely'
import { type EngineOptions, openEngines } from '../../../tests/harness/engines.ts'

/** A fixed day; retention counts from the engine's own clock, so it is made long. */
export const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0)
export const MINUTE_MS = 60_000

/** Everything that queries ask for. */
type Readable<On extends 'org' | 'project'> = Grant<'org:read', On> &
  Grant<'project:read', On> &
  Grant<'event:read', On> &
  Grant<'token:write', On> &
  Grant<'audit:read', On> &
  Grant<'member:read', On>
export type OrgGrant = Readable<'org'>
export type ProjectGrant = Readable<'project'>
const VIEWER = { kind: 'operator', name: 'server' } as const

export async function openHarness(options?: EngineOptions) {
  const clock = fixedClock(NOW_MS)
  const { records: db, telemetry, close } = await openEngines(clock, options)
  const deps: QueryDeps = { records: db, telemetry, clock, publicUrl: 'http://sonde.test:8600' }
  let batches = 0

  return {
    deps,
    db,
    clock,
    telemetry,
    async org(slug: string) {
      const { id } = await db
        .insertInto('organization')
        .values({ slug, name: slug, created_ms: NOW_MS })
        .returning('id')
        .executeTakeFirstOrThrow()
      return grantOf(VIEWER, { orgId: id, orgSlug: slug, orgName: slug }) as unknown as OrgGrant
    },
    async project(org: { readonly orgId: number; readonly orgSlug: string }, slug: string) {
      const { id } = await db
        .insertInto('project')
        .values({ org_id: org.orgId, slug, name: slug, platform: 'javascript', created_ms: NOW_MS })
        .returning('id')
        .executeTakeFirstOrThrow()
      const subject = { orgId: org.orgId, orgSlug: org.orgSlug, projectId: id, projectSlug: slug }
      return grantOf(VIEWER, subject) as unknown as ProjectGrant
    },
    /** Their ids, in the order given. */
    async issues(projectId: number, rows: readonly Partial<Insertable<IssueTable>>[]): Promise<number[]> {
      const inserted = await db
        .insertInto('issue')
        .values(rows.map((row, index) => ({ ...issueRow(projectId, index + 1), ...row })))
        .returning('id')
        .execute()
      return inserted.map((row) => row.id)
    },
    /** Their ids, in the order given. */
    async events(
      projectId: number,
      issueId: number,
      given: readonly Partial<EventFields>[],
    ): Promise<string[]> {
      const batch = ++batches
      const rows = given.map((fields, index) => ({ ...eventFields(projectId, batch, index), ...fields }))
      const encoded = (encode: (row: EventFields) => string) =>
        rows.map((row) => withIssueId(encode(row), issueId))
      await telemetry.insert('events', encoded(encodeEventRow), `events-${batch}`)
      await telemetry.insert('event_index', encoded(encodeIndexRow), `index-${batch}`)
      return rows.map((row) => row.eventId)
    },
    close,
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

export const issueRow = (projectId: number, shortNumber: number): Insertable<IssueTable> => ({
  project_id: projectId,
  short_number: shortNumber,
  type: 'error',
  level: 'error',
  title: `Error: failure ${shortNumber}`,
  culprit: 'checkout',
  platform: 'javascript',
  metadata: '{}',
  logger: '',
  status: 'unresolved',
  substatus: 'new',
  is_unhandled: 0,
  first_seen_ms: NOW_MS - 60 * MINUTE_MS,
  last_seen_ms: NOW_MS - MINUTE_MS,
  event_count: 1,
  first_release: '',
  last_release: '',
  last_event_id: '0'.repeat(32),
  created_ms: NOW_MS,
})

function eventFields(projectId: number, batch: number, index: number): EventFields {
  const eventId = (batch * 65_536 + index).toString(16).padStart(32, '0')
  return {
    projectId,
    eventId,
    timestampMs: NOW_MS - MINUTE_MS,
    receivedMs: NOW_MS - MINUTE_MS,
    logPosition: batch,
    itemIndex: index,
    type: 'error',
    level: 'error',
    platform: 'javascript',
    release: '',
    dist: '',
    environment: '',
    transaction: '',
    title: 'Error: failure',
    culprit: '',
    exceptionType: '',
    exceptionValue: '',
    message: '',
    handled: '',
    userKey: '',
    sdkName: '',
    sdkVersion: '',
    traceId: '',
    spanId: '',
    url: '',
    tags: {},
    hashes: [],
    debugIds: [],
    unreadable: '',
    revision: 0,
    payload: JSON.stringify({ event_id: eventId, derived: { title: '', culprit: '', metadata: {} } }),
  }
}
