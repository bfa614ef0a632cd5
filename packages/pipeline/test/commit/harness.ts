/** A real log, records, telemetry and blobs, on the engines that the environment names. One is open at a time. */
import { silentLogger, systemClock } from '@sonde/base'
import { encodeIntakeRecord, type EnvelopeMeta, type LogReader } from '@sonde/log'
import { openEngines, openTestBlobs } from '../../../../tests/harness/engines.ts'
import { createLog, openReader, openWriter } from '../../../../tests/harness/test-log.ts'
import { startPipeline, type Pipeline, type PipelineOptions } from '../../src/index.ts'

export type Harness = Awaited<ReturnType<typeof openHarness>>

const logger = silentLogger
const clock = systemClock

export async function openHarness() {
  const { dir, records, telemetry, close } = await openEngines(clock)
  const blobs = await openTestBlobs(dir)
  const logPlace = await createLog(dir)
  const writer = await openWriter(logPlace)
  const org = { slug: 'acme', name: 'Acme', created_ms: 0 }
  const { id: orgId } = await records
    .insertInto('organization')
    .values(org)
    .returning('id')
    .executeTakeFirstOrThrow()

  return {
    records,
    telemetry,
    blobs,
    clock,
    writer,
    async createProject(slug: string): Promise<number> {
      const values = { org_id: orgId, slug, name: slug, platform: 'node', created_ms: 0 }
      const project = await records
        .insertInto('project')
        .values(values)
        .returning('id')
        .executeTakeFirstOrThrow()
      return project.id
    },
    append: (projectId: number, body: string | Uint8Array, more: Partial<EnvelopeMeta> = {}) =>
      writer.append(
        encodeIntakeRecord(
          { v: 1, kind: 'envelope', receivedMs: clock.nowMs(), projectId, keyId: 7, ...more },
          typeof body === 'string' ? Buffer.from(body) : body,
        ),
      ),
    /** The pipeline on a reader of its own; `stop` closes both, as the end of a process would. */
    async start(
      more: Partial<PipelineOptions> = {},
      watched = (log: LogReader): LogReader => log,
    ): Promise<Pipeline> {
      const log = watched(await openReader(logPlace))
      const workers = { threads: 0, ...more.workers }
      const pipeline = await startPipeline({
        log,
        records,
        telemetry,
        blobs,
        clock,
        logger,
        ...more,
        workers,
      })
      return {
        ...pipeline,
        async stop() {
          await pipeline.stop()
          await log.close()
        },
      }
    },
    async events(projectId: number): Promise<{ event_id: string; issue_id: number; title: string }[]> {
      return await telemetry.query(
        'SELECT event_id, issue_id, title FROM events WHERE project_id = {projectId:UInt32} ORDER BY log_position, item_index',
        { projectId },
      )
    },
    async outcomes(projectId: number): Promise<Record<string, number>> {
      const rows = await telemetry.query<{ key: string; n: number }>(
        `SELECT concat(category, '/', outcome, '/', reason) AS key, sum(quantity) AS n FROM outcomes
         WHERE project_id = {projectId:UInt32} GROUP BY key ORDER BY key`,
        { projectId },
      )
      return Object.fromEntries(rows.map((row) => [row.key, row.n]))
    },
    issues: (projectId: number) =>
      records.selectFrom('issue').selectAll().where('project_id', '=', projectId).orderBy('id').execute(),
    async close(): Promise<void> {
      await writer.close()
      await close()
    },
  }
}

/** An envelope with one error event; equal `kind`s belong to one issue. */
export function errorEnvelope(id: number, kind = 'Boom', more: object = {}): string {
  const eventId = eventIdOf(id)
  const event = {
    event_id: eventId,
    platform: 'python',
    exception: [{ type: kind, value: 'it broke' }],
    ...more,
  }
  return `{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`
}

/** Spans below the root of a transaction, each 20 ms after the one before. */
export const queriesOneByOne = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    span_id: (at + 2).toString(16).padStart(16, '0'),
    parent_span_id: 'b'.repeat(16),
    op: 'db',
    description: `SELECT * FROM item WHERE id = ${at}`,
    start_timestamp: Date.now() / 1000 - 3 + at * 0.02,
    timestamp: Date.now() / 1000 - 3 + at * 0.02 + 0.015,
  }))

/** A page load with one request and an LCP: two spans, one vital. `more`: spans beside the request. */
export function transactionEnvelope(id: number, more: readonly object[] = []): string {
  const eventId = eventIdOf(id)
  const trace_id = eventIdOf(id)
  const startSec = Date.now() / 1000 - 3
  const trace = { trace_id, span_id: 'b'.repeat(16), op: 'pageload', status: 'ok' }
  const child = {
    trace_id,
    span_id: '1'.repeat(16),
    op: 'http.client',
    start_timestamp: startSec,
    timestamp: startSec + 1,
  }
  const event = {
    event_id: eventId,
    type: 'transaction',
    transaction: '/cart',
    start_timestamp: startSec,
    timestamp: startSec + 2,
    contexts: { trace },
    spans: [child, ...more.map((span) => ({ trace_id, ...span }))],
    measurements: { lcp: { value: 1200, unit: 'millisecond' } },
  }
  return `{"event_id":"${eventId}"}\n{"type":"transaction"}\n${JSON.stringify(event)}\n`
}

export const eventIdOf = (id: number): string => id.toString(16).padStart(32, '0')

export async function until(condition: () => boolean | Promise<boolean>, what: string, timeoutMs = 15_000) {
  const endMs = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
