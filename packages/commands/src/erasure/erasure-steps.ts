/** What an erasure deletes, kind by kind. Every step looks at what is there: it may be cut anywhere and done again. */
import type { Clock } from '@sonde/base'
import {
  type Blobs,
  discardBlobs,
  discardRecordings,
  eraseFromRecords,
  type Person,
  PERSON_TABLES,
  personEraser,
  personRows,
  type Records,
  type Telemetry,
  type TelemetryTable,
  writeTransaction,
} from '@sonde/stores'

export type ErasureNeeds = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query' | 'deleteRows' | 'purge'>
  readonly blobs: Pick<Blobs, 'get' | 'delete'>
  readonly clock: Clock
  readonly signal: AbortSignal
}
export type ErasureTarget = {
  readonly projectIds: readonly number[]
  readonly person: Person
  /** What arrived later is not touched: else somebody who is active would keep an erasure from its end. */
  readonly requestedMs: number
}
export type Counts = Readonly<Record<string, number>>
/** What it took away now, by kind; `waits`: the engine still deletes. */
type StepEnd = { readonly counts: Counts; readonly waits?: boolean }
type Step = (needs: ErasureNeeds, target: ErasureTarget) => Promise<StepEnd>

// A list of so many ids is one deletion, and fewer than SQLite takes as parameters.
const EVENTS_AT_ONCE = 5_000
const ATTACHMENTS_AT_ONCE = 500
const REPLAYS_AT_ONCE = 200

/** In their order: what tells of others goes after them. */
export const ERASURE_STEPS: readonly { readonly name: string; readonly run: Step }[] = [
  { name: 'counts', run: countTelemetry },
  { name: 'what hangs on events', run: eraseBesideEvents },
  { name: 'replays', run: eraseReplays },
  { name: 'telemetry', run: eraseTelemetry },
  { name: 'dead letters', run: eraseDeadLetters },
  { name: 'records', run: async ({ records }, target) => ({ counts: await eraseRecords(records, target) }) },
]

const eraseRecords = (records: Records, { projectIds, person }: ErasureTarget): Promise<Counts> =>
  eraseFromRecords(records, projectIds, person)

/** Before anything goes: whoever is stopped between a deletion and its count would not know it any more. */
async function countTelemetry({ telemetry }: ErasureNeeds, target: ErasureTarget): Promise<StepEnd> {
  const counts: Record<string, number> = {}
  for (const table of PERSON_TABLES)
    for (const project of target.projectIds) {
      const rows = rowsOf(table, project, target)
      if (!rows) continue
      const [found] = await telemetry.query<{ n: number }>(
        `SELECT count() AS n FROM ${table} WHERE ${rows.where}`,
        rows.params,
      )
      if (found && found.n > 0) counts[table] = (counts[table] ?? 0) + found.n
    }
  return { counts }
}

/** Attachments, and the index that finds events by their ids. */
async function eraseBesideEvents(needs: ErasureNeeds, target: ErasureTarget): Promise<StepEnd> {
  let attachments = 0
  let waits = false
  for (const [project, table] of target.projectIds.flatMap((id) =>
    (['events', 'deleted_events'] as const).map((name) => [id, name] as const),
  )) {
    const rows = rowsOf(table, project, target)
    if (!rows) continue
    for (let last = ''; !needs.signal.aborted;) {
      const found = await needs.telemetry.query<{ id: string }>(
        `SELECT DISTINCT toString(event_id) AS id FROM ${table} WHERE ${rows.where} AND toString(event_id) > {last:String}
         ORDER BY id LIMIT ${EVENTS_AT_ONCE}`,
        { ...rows.params, last },
      )
      const ids = found.map(({ id }) => id)
      if (ids.length === 0) break
      attachments += await deleteAttachments(needs, project, ids)
      const left = await needs.telemetry.deleteRows(
        'event_index',
        'project_id = {project:UInt32} AND event_id IN {events:Array(FixedString(32))}',
        { project, events: ids },
      )
      if (left > 0) waits = true
      if (ids.length < EVENTS_AT_ONCE) break
      last = ids.at(-1) ?? ''
    }
  }
  return { counts: { attachments }, waits }
}

async function deleteAttachments(
  { records, clock }: ErasureNeeds,
  projectId: number,
  eventIds: readonly string[],
): Promise<number> {
  let deleted = 0
  for (let at = 0; at < eventIds.length; at += ATTACHMENTS_AT_ONCE)
    deleted += await writeTransaction(records, async (tx) => {
      const gone = await tx
        .deleteFrom('attachment')
        .where('project_id', '=', projectId)
        .where('event_id', 'in', eventIds.slice(at, at + ATTACHMENTS_AT_ONCE))
        .returning('blob')
        .execute()
      if (gone.length > 0)
        await discardBlobs(
          tx,
          gone.map(({ blob }) => blob),
          clock.nowMs(),
        )
      return gone.length
    })
  return deleted
}

/** Whole replays: also the parts that do not name who is seen. What their pages still send goes too (`sweepDeletedReplays`). */
async function eraseReplays(needs: ErasureNeeds, target: ErasureTarget): Promise<StepEnd> {
  let segments = 0
  let replays = 0
  let waits = false
  for (const project of target.projectIds) {
    const rows = rowsOf('replays', project, target)
    if (!rows) continue
    const found = await needs.telemetry.query<{ id: string }>(
      `SELECT DISTINCT toString(replay_id) AS id FROM replays WHERE ${rows.where} ORDER BY id LIMIT ${REPLAYS_AT_ONCE}`,
      rows.params,
    )
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) continue
    replays += ids.length
    segments += await deleteRecordings(needs, project, ids)
    await needs.telemetry.deleteRows(
      'replays',
      'project_id = {project:UInt32} AND replay_id IN {replays:Array(FixedString(32))}',
      { project, replays: ids },
    )
    waits = true
  }
  return { counts: { 'session replays': replays, 'parts of recordings': segments }, waits }
}

async function deleteRecordings(
  { records, clock }: ErasureNeeds,
  projectId: number,
  replayIds: readonly string[],
): Promise<number> {
  const atMs = clock.nowMs()
  return writeTransaction(records, async (tx) => {
    const gone = await tx
      .deleteFrom('replay_segment')
      .where('project_id', '=', projectId)
      .where('replay_id', 'in', replayIds)
      .returning(['blob', 'video_blob'])
      .execute()
    await discardRecordings(
      tx,
      gone.flatMap(({ blob, video_blob }) => [blob, ...(video_blob === null ? [] : [video_blob])]),
      atMs,
    )
    await tx
      .deleteFrom('replay_view')
      .where('project_id', '=', projectId)
      .where('replay_id', 'in', replayIds)
      .execute()
    await tx
      .insertInto('replay_deletion')
      .values(replayIds.map((id) => ({ project_id: projectId, replay_id: id, requested_ms: atMs })))
      .onConflict((on) => on.doNothing())
      .execute()
    return gone.length
  })
}

/** One deletion for each table; afterwards it waits until nothing is seen. What came in between counts too. */
async function eraseTelemetry(needs: ErasureNeeds, target: ErasureTarget): Promise<StepEnd> {
  const counts: Record<string, number> = {}
  let waits = false
  for (const table of PERSON_TABLES)
    for (const project of target.projectIds) {
      if (needs.signal.aborted) return { counts: {}, waits: true }
      const rows = rowsOf(table, project, target)
      if (!rows) continue
      const left = await needs.telemetry.deleteRows(table, rows.where, rows.params)
      if (left === 0) continue
      waits = true
      counts[table] = (counts[table] ?? 0) + left
    }
  return { counts, waits }
}

function rowsOf(table: TelemetryTable, project: number, { person, requestedMs }: ErasureTarget) {
  const rows = personRows(table, project, person)
  return (
    rows && {
      where: `${rows.all} AND toUnixTimestamp64Milli(received) <= {until:UInt64}`,
      params: { ...rows.params, until: requestedMs },
    }
  )
}

const LETTERS_AT_ONCE = 100

/** A letter holds a whole request: it goes when any of it names the person. */
async function eraseDeadLetters(
  needs: ErasureNeeds,
  { projectIds, person }: ErasureTarget,
): Promise<StepEnd> {
  const { records, blobs, clock, signal } = needs
  const names = letterNames(person)
  let deleted = 0
  for (let last = 0; !signal.aborted;) {
    const letters = await records
      .selectFrom('dead_letter')
      .select(['id', 'blob'])
      .where('project_id', 'in', projectIds)
      .where('id', '>', last)
      .orderBy('id')
      .limit(LETTERS_AT_ONCE)
      .execute()
    for (const { blob } of letters) {
      const bytes = await blobs.get(blob)
      if (!bytes || !names(Buffer.from(bytes).toString('utf8'))) continue
      deleted += await writeTransaction(records, async (tx) => {
        const gone = await tx.deleteFrom('dead_letter').where('blob', '=', blob).returning('id').execute()
        await tx
          .insertInto('blob_garbage')
          .values({ name: blob, since_ms: clock.nowMs() })
          .onConflict((on) => on.doNothing())
          .execute()
        return gone.length
      })
    }
    if (letters.length < LETTERS_AT_ONCE) break
    last = letters.at(-1)?.id ?? last
  }
  return { counts: { 'dead letters': deleted } }
}

/** Whether what a request sent names the person; a short id only where ids of users stand. */
function letterNames(person: Person): (text: string) => boolean {
  const eraser = personEraser(person)
  const { id } = person
  const named =
    id === undefined
      ? []
      : ['id', 'did', 'user.id', 'enduser.id'].flatMap((key) => [
          `"${key}":${JSON.stringify(id)}`,
          `"${key}": ${JSON.stringify(id)}`,
          ...(/^\d+$/.test(id) ? [`"${key}":${id},`, `"${key}":${id}}`] : []),
        ])
  return (text) => eraser?.has(text) === true || named.some((needle) => text.includes(needle))
}
