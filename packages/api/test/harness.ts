/** A small installation for tests: real SQLite, real ClickHouse in this process, the real access. */
import assert from 'node:assert/strict'
import { type Access, createAccess, openInstallation, operatorViewer } from '@sonde/access'
import { type ApiOptions, createApi } from '@sonde/api'
import { fixedClock, silentLogger } from '@sonde/base'
import {
  type CommandDeps,
  ensureProject,
  createToken,
  type TokenGrant,
  createUser,
  startUploads,
} from '@sonde/commands'
import { createIssueMoves } from '@sonde/pipeline'
import { tryStored } from '@sonde/pipeline/scrub'
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { QueryDeps } from '@sonde/queries'
import { encodeEventRow, encodeIndexRow, visibleRecords, visibleTelemetry, withIssueId } from '@sonde/stores'
import { sql } from 'kysely'
import { answerChecks, type Document } from '../../../tests/harness/described-answers.ts'
import { openEngines, openTestBlobs } from '../../../tests/harness/engines.ts'
import { useQuickPasswords } from '../../../tests/harness/quick-passwords.ts'

/** A fixed day; retention counts from the engine's own clock, so it is switched off by its length. */
export const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0)
export const PUBLIC_URL = 'http://sonde.test:8600'

const tokenGrant = (access: Access, org: string | undefined): Promise<TokenGrant> | TokenGrant =>
  org === undefined ? openInstallation(operatorViewer) : access.openOrg(operatorViewer, org, 'token:write')

export async function openHarness(more: Pick<ApiOptions, 'limits'> = {}) {
  useQuickPasswords()
  const clock = fixedClock(NOW_MS)
  const { dir, records: db, telemetry: engine, close } = await openEngines(clock)
  // As the server has them: for people, without what was deleted and can still be restored.
  const records = visibleRecords(db)
  const telemetry = visibleTelemetry(engine, db)
  const access: Access = createAccess({
    records,
    secret: 'a secret of at least thirty-two characters',
    publicUrl: PUBLIC_URL,
    clock,
    logger: silentLogger,
  })
  const blobs = await openTestBlobs(dir)
  const quotaBytes = 4 * 1024 * 1024
  const logger = silentLogger
  const uploads = startUploads({ records, blobs, clock, logger, quotaBytes })
  const issueMoves = createIssueMoves({ records: db, telemetry: engine, clock })
  const commands: CommandDeps = { records, access, clock, blobs, uploads, issueMoves }
  const queries: QueryDeps = { records, telemetry, clock, publicUrl: PUBLIC_URL, tryStored }
  const reports: unknown[] = []
  const api = createApi({
    access,
    queries,
    commands,
    blobs,
    publicUrl: PUBLIC_URL,
    logger: silentLogger,
    ...more,
    submitReport: async (key, report) => {
      reports.push([key, report])
      return { ok: true }
    },
  })
  const holdToDocument = await documentOf(api)
  let inserted = 0

  return {
    api,
    /** What was handed to ingest: key and report. */
    reports,
    clock,
    access,
    commands,
    queries,
    telemetry,
    blobs,
    db,
    /** Fails when the answer is another than the OpenAPI document says. */
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const url = new URL(path, PUBLIC_URL)
      const answer = await api.fetch(new Request(url, init))
      await holdToDocument(init.method ?? 'GET', url.pathname, answer)
      return answer
    },
    project: (org: string, slug: string) =>
      ensureProject(commands, operatorViewer, { org, slug, platform: 'javascript' }),
    token: async (scopes: readonly string[], org?: string): Promise<string> =>
      (await createToken(commands, await tokenGrant(access, org), { name: 'test', scopes })).token,
    user: (org: string, email: string, role: 'owner' | 'admin' | 'member' | 'viewer') =>
      commands.access
        .openOrg(operatorViewer, org, 'member:write')
        .then((grant) => createUser(commands, grant, { email, role, password: 'correct horse' })),
    /** The cookie header of somebody who has just signed in. */
    async signIn(email: string): Promise<string> {
      const result = await access.signIn({ email, password: 'correct horse', headers: new Headers() })
      if (!result.ok) throw new Error(result.message)
      return result.setCookies.map((cookie) => cookie.split(';')[0]).join('; ')
    },
    /** One issue with these events, the last one the newest. */
    async issue(
      projectId: number,
      fields: { title?: string; status?: 'unresolved' | 'resolved' | 'ignored'; level?: string } = {},
      events: readonly Partial<EventInput>[] = [{}],
    ): Promise<{ issueId: number; eventIds: string[] }> {
      const title = fields.title ?? 'TypeError: x is not a function'
      const times = events.map((event) => event.timestampMs ?? NOW_MS - 60_000)
      const { id } = await records
        .insertInto('issue')
        .values((eb) => ({
          project_id: projectId,
          short_number: eb
            .selectFrom('issue')
            .select(sql<number>`coalesce(max(short_number), 0) + 1`.as('n'))
            .where('project_id', '=', projectId),
          type: 'error',
          level: fields.level ?? 'error',
          title,
          culprit: 'checkout(cart.js)',
          platform: 'javascript',
          metadata: JSON.stringify({ type: 'TypeError', value: 'x is not a function' }),
          logger: '',
          status: fields.status ?? 'unresolved',
          is_unhandled: 1,
          first_seen_ms: Math.min(...times),
          last_seen_ms: Math.max(...times),
          event_count: events.length,
          first_release: '',
          last_release: '',
          last_event_id: '',
          created_ms: NOW_MS,
        }))
        .returning('id')
        .executeTakeFirstOrThrow()
      const rows = events.map((event) => eventInput(projectId, inserted++, { title, ...event }))
      await telemetry.insert(
        'events',
        rows.map((row) => withIssueId(encodeEventRow(row), id)),
        `events-${inserted}`,
      )
      await telemetry.insert(
        'event_index',
        rows.map((row) => withIssueId(encodeIndexRow(row), id)),
        `index-${inserted}`,
      )
      return { issueId: id, eventIds: rows.map((row) => row.eventId) }
    },
    async close(): Promise<void> {
      await uploads.stop()
      await close()
    },
  }
}

/** Fails when an answer is another than the OpenAPI document says. */
export async function documentOf(api: ReturnType<typeof createApi>) {
  const document = await api.request('/api/0/openapi.json')
  const checks = answerChecks((await document.json()) as Document)
  return async (method: string, pathname: string, answer: Response): Promise<void> => {
    const operation = checks.operationOf(method, pathname)
    const { status, headers } = answer
    if (!operation || headers.get('content-type')?.startsWith('text/event-stream')) return
    // A file that breaks off is no answer to hold to anything.
    const text = await answer
      .clone()
      .text()
      .catch(() => undefined)
    if (text === undefined) return
    assert.equal(checks.problemOf(operation, { status, headers, text }), undefined)
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>
type EventInput = Parameters<typeof encodeEventRow>[0] & { readonly event: Partial<NormalizedEvent> }

function eventInput(projectId: number, index: number, given: Partial<EventInput>) {
  const { event, ...fields } = given
  const eventId = fields.eventId ?? (index + 1).toString(16).padStart(32, '0')
  const timestampMs = fields.timestampMs ?? NOW_MS - 60_000
  const payload: NormalizedEvent = {
    event_id: eventId,
    type: 'error',
    platform: 'javascript',
    level: 'error',
    timestamp: timestampMs / 1000,
    received: timestampMs / 1000,
    derived: { title: fields.title ?? 'Error', culprit: '', metadata: {} },
    ...event,
  }
  return {
    projectId,
    eventId,
    timestampMs,
    receivedMs: timestampMs,
    logPosition: index,
    itemIndex: 0,
    type: 'error',
    level: 'error',
    platform: 'javascript',
    release: '',
    dist: '',
    environment: '',
    transaction: '',
    title: 'Error',
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
    payload: JSON.stringify(payload),
    ...fields,
  }
}
