/**
 * Very many copies of one error through the commit alone, on the embedded engines: what is stored is the same as behind the
 * door, without the hour that sending and processing take. `node commit-copies.ts <copies> <users> [--merge] [--batch=500]` prints
 * JSON.
 * With `--merge` tables are merged at once; without it the engine is waited for, which takes half a minute.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { encodeIntakeRecord } from '@sonde/log'
import { DEFAULT_PROCESSING_SETTINGS, startStoreHeld } from '@sonde/pipeline'
import { EVENT_USERS, openBlobs, openRecords, openTelemetry } from '@sonde/stores'
import { commitBatch } from '../../packages/pipeline/src/commit/commit-batch.ts'
import { processRecord } from '../../packages/pipeline/src/process/process-record.ts'
import type { ProcessedEvent } from '../../packages/pipeline/src/process/processed.ts'
import { temporaryDataDir } from '../../tests/harness/start-sonde.ts'
import { ID_PLACE } from '../load/template.ts'
import { sdkEnvelopes } from '../payloads/sdk-envelopes.ts'

export type Committed = {
  /** By telemetry table; `records`: by how much the database grew. */
  readonly bytes: Readonly<Record<string, number>>
  /** Of the tables' columns, `events.payload`; marks and checksums are in `bytes` alone. */
  readonly columns: Readonly<Record<string, number>>
  /** Of the commits alone, on all cores. */
  readonly cpuMs: number
  /** Of the issue: its counter, the sum over what is stored, rows, users. */
  readonly counted: number
  readonly events: number
  readonly rows: number
  readonly users: number
  /** Rows and counts of all other issues. */
  readonly otherRows: number
  readonly otherCounted: number
  readonly otherSent: number
}

const OTHER_EVERY = 1_000
const OTHERS = 10
const USER_PLACE = 'user-0000000'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const [copies = 0, users = 0] = process.argv.slice(2).map(Number)
const batch = Number(/^--batch=(\d+)$/.exec(process.argv.at(-1) ?? '')?.[1] ?? 500)
const isMerged = process.argv.includes('--merge')
const data = temporaryDataDir()
const file = join(data.dir, 'records.sqlite')
// What a new database has is in its file once it was closed.
await (await openRecords({ file }, { logger })).close()
const newRecords = statSync(file).size
const opened = await openRecords({ file }, { logger })
const records = opened.db
const telemetry = await openTelemetry({ dir: join(data.dir, 'telemetry') }, { logger })
const blobs = openBlobs({ dir: join(data.dir, 'blobs') })
const { id: orgId } = await records
  .insertInto('organization')
  .values({ slug: 'acme', name: 'Acme', created_ms: 0 })
  .returning('id')
  .executeTakeFirstOrThrow()
const { id: projectId } = await records
  .insertInto('project')
  .values({ org_id: orgId, slug: 'shop', name: 'shop', platform: 'node', created_ms: 0 })
  .returning('id')
  .executeTakeFirstOrThrow()

// Yesterday's noon: one day of receipt.
const fromMs = (Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS + DAY_MS / 2
const [sent = ''] = await sdkEnvelopes(1)
const kinds = ['Flood', ...Array.from({ length: OTHERS }, (_, at) => `Other${at}`)].map(processedOf)
const stores = { log: { commit: async () => undefined }, records, telemetry, blobs, clock }
let otherSent = 0
const job = startStoreHeld({ records, telemetry, clock, logger })
const cpuBefore = process.cpuUsage()
const total = copies + Math.floor(copies / OTHER_EVERY)
let copy = 0
for (let from = 0; from < total; from += batch) {
  const to = Math.min(total, from + batch)
  const events: ProcessedEvent[] = []
  for (let at = from; at < to; at++) {
    const isOther = at % (OTHER_EVERY + 1) === OTHER_EVERY
    const kind = kinds[isOther ? 1 + (otherSent++ % OTHERS) : 0]
    if (kind) events.push(copyOf(kind, at, isOther ? at : userOf(copy++)))
  }
  const entries = events.map((event) => ({
    record: { position: event.position, next: event.position + 1, bytes: new Uint8Array() },
    processed: {
      position: event.position,
      next: event.position + 1,
      events: [event],
      rows: [],
      attachments: [],
      outcomes: [],
      dead: [],
    },
  }))
  // While what waits is stored, the project is held.
  while ((await commitBatch(stores, { partition: 0, from, to, entries })) === 'held') await sleep(20)
  if (from % (batch * 50) === 0) console.error(`${to} of ${total}`)
}
const cpu = process.cpuUsage(cpuBefore)
while ((await records.selectFrom('held_event').select('id').execute()).length > 0) await sleep(500)
await job.stop()

// Merges go on for a while after the last insert.
const parts = () =>
  telemetry.query<{ table: string; bytes: number }>(
    `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`,
  )
if (isMerged) for (const { table } of await parts()) await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`)
else {
  await untilMerged()
  // As the engine does once nothing has come for an hour.
  await telemetry.command('OPTIMIZE TABLE counted_ids FINAL')
}
const issues = await records.selectFrom('issue').select(['id', 'title', 'event_count']).execute()
const stored = await telemetry.query<{ issue: number; events: number; rows: number; users: number }>(
  `SELECT issue_id AS issue, sum(1 + left_out) AS events, count() AS rows, ${EVENT_USERS} AS users
   FROM events GROUP BY issue`,
)
const flood = issues.find(({ title }) => title.startsWith('Flood'))
const ofFlood = stored.find(({ issue }) => issue === flood?.id)
const rest = stored.filter(({ issue }) => issue !== flood?.id)
const tables = Object.fromEntries((await parts()).map(({ table, bytes }) => [table, bytes]))
const columns = await telemetry.query<{ name: string; bytes: number }>(
  `SELECT concat(table, '.', column) AS name, toFloat64(sum(column_data_compressed_bytes)) AS bytes FROM system.parts_columns
   WHERE active AND database = currentDatabase() GROUP BY name ORDER BY bytes DESC`,
)
await telemetry.close()
await opened.close()
const result: Committed = {
  bytes: { ...tables, records: statSync(file).size - newRecords },
  columns: Object.fromEntries(columns.map(({ name, bytes }) => [name, bytes])),
  cpuMs: Math.round((cpu.user + cpu.system) / 1000),
  counted: flood?.event_count ?? 0,
  events: ofFlood?.events ?? 0,
  rows: ofFlood?.rows ?? 0,
  users: ofFlood?.users ?? 0,
  otherRows: rest.reduce((sum, { rows }) => sum + rows, 0),
  otherCounted: issues.reduce((sum, issue) => sum + (issue === flood ? 0 : issue.event_count), 0),
  otherSent,
}
console.log(JSON.stringify(result))
data.remove()

/** Nothing moves for a quarter of a minute. */
async function untilMerged(): Promise<void> {
  for (let before = ''; ; await sleep(15_000)) {
    const now = JSON.stringify(await parts())
    if (now === before) return
    before = now
  }
}

/** Everybody once, then anybody: users do not come in turn. */
function userOf(at: number): number {
  return at < users ? at : randomInt(users)
}

function processedOf(type: string): ProcessedEvent {
  const [head = '', , payload = ''] = sent.split('\n')
  const event = JSON.parse(payload) as { exception: { values: { type: string }[] }; user?: object }
  const last = event.exception.values.at(-1)
  if (last) last.type = type
  event.user = { id: USER_PLACE }
  const text = JSON.stringify(event)
  const body = Buffer.from(`${head}\n{"type":"event","length":${Buffer.byteLength(text)}}\n${text}\n`)
  const meta = { v: 1, kind: 'envelope', receivedMs: fromMs, projectId, keyId: 1 } as const
  const bytes = encodeIntakeRecord(meta, body)
  const [processed] = processRecord({ position: 0, next: 1, bytes }, DEFAULT_PROCESSING_SETTINGS).events
  if (!processed) throw new Error('the envelope has no event')
  return processed
}

function copyOf(kind: ProcessedEvent, position: number, user: number): ProcessedEvent {
  const eventId = randomBytes(16).toString('hex')
  const name = `user-${String(user).padStart(7, '0')}`
  const receivedMs = fromMs + Math.floor((position / total) * HOUR_MS)
  const timeText = (ms: number): string => (ms / 1000).toFixed(3)
  const row = String(kind.row)
    .replaceAll(ID_PLACE, eventId)
    .replaceAll(USER_PLACE, name)
    .replace(timeText(kind.issue.timestampMs), timeText(receivedMs))
    .replace(timeText(kind.receivedMs), timeText(receivedMs))
  return {
    ...kind,
    position,
    eventId,
    receivedMs,
    userKey: kind.userKey.replace(USER_PLACE, name),
    issue: { ...kind.issue, timestampMs: receivedMs },
    row,
  }
}
