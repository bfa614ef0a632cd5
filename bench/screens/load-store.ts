/**
 * Fills a stopped Sonde's stores: `node load-store.ts <data dir> <project id> <issues> <events>`. What the pipeline
 * stored of the envelopes sent before is multiplied through the stores' own writers. A process of its own, because
 * the embedded engine of a process opens one folder.
 */
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import {
  encodeEventRow,
  encodeIndexRow,
  type EventFields,
  openRecords,
  openTelemetry,
  type Records,
  type Telemetry,
  withIssueId,
  writeTransaction,
} from '@sonde/stores'
import { seededRandom } from '../payloads/shop-app.ts'
import {
  BROWSERS,
  ENVIRONMENTS,
  planEvents,
  planIssues,
  releaseAt,
  SYSTEMS,
  userAt,
  weighted,
} from './shop-traffic.ts'
import type { PlannedIssue } from './shop-traffic.ts'
import { type EventTemplate, eventTemplate } from './vary-event.ts'

const [dataDir = '', projectText = '', issuesText = '', eventsText = ''] = process.argv.slice(2)
const projectId = Number(projectText)
const MONTH_MS = 30 * 86_400_000
const END_MS = Date.now() - 60_000
const TEMPLATES = 200
const EVENTS_AN_INSERT = 5_000
// Nobody else needs memory here, and merges of the parts before run beside each insert.
const MAX_MEMORY_BYTES = 2 * 1024 ** 3
const ISSUES_AN_INSERT = 500
const FIRST_LOG_POSITION = 1_000_000_000

const random = seededRandom(3)
const telemetry = await openTelemetry(
  { dir: join(dataDir, 'telemetry') },
  { logger: silentLogger, maxMemoryBytes: MAX_MEMORY_BYTES },
)
const { db, close } = await openRecords({ file: join(dataDir, 'records.sqlite') }, { logger: silentLogger })
const templates = await readTemplates(telemetry)
const issues = planIssues(random, Number(issuesText), templates.length)
const plan = planEvents(random, issues.length, Number(eventsText))
const timeOf = (at: number): number => Math.round(END_MS - MONTH_MS * (1 - (at + 1) / plan.length))
const seen = seenOf(plan)
/** In the order in which they were seen first, as their ids are. */
const order = [...issues.keys()].toSorted((a, b) => (seen.first[a] as number) - (seen.first[b] as number))
const placeInOrder = new Uint32Array(issues.length)
for (const [at, index] of order.entries()) placeInOrder[index] = at
const firstId = await insertIssues(db)
for (let from = 0; from < plan.length; from += EVENTS_AN_INSERT) await insertEvents(from)
await telemetry.close()
await close()

async function readTemplates(store: Telemetry): Promise<EventTemplate[]> {
  const rows = await store.query<EventFields>(
    `SELECT project_id AS projectId, toString(event_id) AS eventId, type, level, platform, release, dist, environment,
       transaction, title, culprit, exception_type AS exceptionType, exception_value AS exceptionValue, message,
       handled, user_key AS userKey, sdk_name AS sdkName, sdk_version AS sdkVersion, trace_id AS traceId,
       span_id AS spanId, url, tags, hashes, debug_ids AS debugIds, unreadable, revision,
       payload
     FROM events WHERE exception_type != '' ORDER BY cityHash64(event_id) LIMIT {limit:UInt32}`,
    { limit: TEMPLATES },
  )
  if (rows.length === 0) throw new Error('the pipeline has stored no event to multiply')
  return rows.map((row) => eventTemplate(row))
}

/** First, last and number of the events of each issue. */
function seenOf(planned: Uint32Array) {
  const first = new Float64Array(issues.length)
  const last = new Float64Array(issues.length)
  const lastAt = new Uint32Array(issues.length)
  const count = new Uint32Array(issues.length)
  for (const [at, issue] of planned.entries()) {
    if ((count[issue] as number) === 0) first[issue] = timeOf(at)
    last[issue] = timeOf(at)
    lastAt[issue] = at
    count[issue] = (count[issue] as number) + 1
  }
  return { first, last, lastAt, count }
}

function plannedIssue(index: number): PlannedIssue {
  return issues[index] as PlannedIssue
}
function partOf(ms: number): number {
  return 1 - (END_MS - ms) / MONTH_MS
}
function eventIdOf(at: number): string {
  return at.toString(16).padStart(32, 'bec0')
}

/** Returns the id of the first. */
async function insertIssues(records: Records): Promise<number> {
  const { issue_counter: known } = await records
    .selectFrom('project')
    .select('issue_counter')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return writeTransaction(records, async (tx) => {
    let lowest = Infinity
    for (let from = 0; from < order.length; from += ISSUES_AN_INSERT) {
      const chunk = order.slice(from, from + ISSUES_AN_INSERT)
      const rows = chunk.map((index, at) => issueRecord(index, known + from + at + 1))
      const ids = await tx.insertInto('issue').values(rows).returning('id').execute()
      lowest = Math.min(lowest, ...ids.map(({ id }) => id))
      await tx
        .insertInto('issue_hash')
        .values(
          chunk.map((index, at) => ({
            project_id: projectId,
            hash: plannedIssue(index).hash,
            issue_id: lowest + from + at,
          })),
        )
        .execute()
    }
    await tx
      .updateTable('project')
      .set({ issue_counter: known + issues.length, first_event_ms: END_MS - MONTH_MS })
      .where('id', '=', projectId)
      .execute()
    return lowest
  })
}

function issueRecord(index: number, shortNumber: number) {
  const { value, culprit, level, status, template } = plannedIssue(index)
  const { exceptionType: type, platform } = templates[template] as EventTemplate
  const [first, last] = [seen.first[index] as number, seen.last[index] as number]
  return {
    project_id: projectId,
    short_number: shortNumber,
    type: 'error',
    level,
    title: `${type}: ${value}`,
    culprit,
    platform,
    metadata: JSON.stringify({ type, value }),
    logger: '',
    status,
    substatus: status === 'unresolved' ? 'new' : '',
    is_unhandled: index % 3 === 0 ? 1 : 0,
    first_seen_ms: first,
    last_seen_ms: last,
    event_count: seen.count[index] as number,
    first_release: releaseAt(partOf(first)),
    last_release: releaseAt(partOf(last)),
    last_event_id: eventIdOf(seen.lastAt[index] as number),
    created_ms: first,
  }
}

async function insertEvents(from: number): Promise<void> {
  const rows: string[] = []
  const indexRows: string[] = []
  for (let at = from; at < Math.min(plan.length, from + EVENTS_AN_INSERT); at++) {
    const index = plan[at] as number
    const issue = plannedIssue(index)
    const template = templates[issue.template] as EventTemplate
    const fields = template.fields(projectId, {
      eventId: eventIdOf(at),
      timestampMs: timeOf(at),
      receivedMs: timeOf(at) + 400,
      logPosition: FIRST_LOG_POSITION + at,
      title: `${template.exceptionType}: ${issue.value}`,
      exceptionValue: issue.value,
      culprit: issue.culprit,
      hash: issue.hash,
      level: issue.level,
      release: releaseAt(partOf(timeOf(at))),
      environment: weighted(random, ENVIRONMENTS),
      browser: weighted(random, BROWSERS),
      os: weighted(random, SYSTEMS),
      userId: userAt(random),
    })
    const issueId = firstId + (placeInOrder[index] as number)
    rows.push(withIssueId(encodeEventRow(fields), issueId))
    indexRows.push(withIssueId(encodeIndexRow(fields), issueId))
  }
  await telemetry.insert('events', rows, `bench-${from}`)
  await telemetry.insert('event_index', indexRows, `bench-${from}`)
}
