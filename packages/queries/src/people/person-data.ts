/** What is stored of a person in the data of applications: how much, all of it, and what was erased. */
import type { Grant } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  type Blobs,
  type ErasureState,
  type OpenBlob,
  type Person,
  PERSON_TABLES,
  personRows,
  recordsNaming,
  type Records,
  type TelemetryTable,
  withHidden,
  withHiddenRows,
} from '@sonde/stores'
import { actorNames } from '../artifacts/reprocessing.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

type PersonGrant = Grant<'event:delete', 'org' | 'project'>
type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

export type FoundKind = {
  /** `events`, `spans`, …, `attachments`, `issues`. */
  readonly kind: string
  /** Rows that name the person as their user. */
  readonly asUser: number
  /** Others that name the person in a text. */
  readonly inTexts: number
}

export type FoundPerson = {
  /** Kinds of which there is something, in the order in which they are erased. */
  readonly kinds: readonly FoundKind[]
  readonly total: number
  /** Other names of users in the same events: whoever means the same person asks for these too. */
  readonly alsoKnownAs: readonly string[]
}

const EVENTS_AT_ONCE = 1_000
const MAX_NAMES = 20

/** What is deleted and can still be restored is stored: whoever asks is told of it, and has it exported. */
const withAll = <Some extends Deps>(deps: Some): Some => ({
  ...deps,
  records: withHidden(deps.records),
  telemetry: withHiddenRows(deps.telemetry),
})

/** Where events are: also those that somebody deleted by themselves, for a day. */
const EVENT_TABLES = ['events', 'deleted_events'] as const

/** Reads every table of these projects once: seconds for millions of rows. */
export async function findPerson(visible: Deps, grant: PersonGrant, person: Person): Promise<FoundPerson> {
  const deps = withAll(visible)
  const projectIds = await projectIdsOf(deps, grant)
  const found = new Map<string, { asUser: number; inTexts: number }>()
  const add = (kind: string, asUser: number, inTexts: number): void => {
    const before = found.get(kind) ?? { asUser: 0, inTexts: 0 }
    found.set(kind, { asUser: before.asUser + asUser, inTexts: before.inTexts + inTexts })
  }
  const names = new Set<string>()
  for (const project of projectIds)
    for (const table of PERSON_TABLES) {
      const rows = personRows(table, project, person)
      if (!rows) continue
      const [counts] = await deps.telemetry.query<{ users: number; n: number }>(
        `SELECT countIf(${rows.byUser}) AS users, count() AS n FROM ${table} WHERE ${rows.all}`,
        rows.params,
      )
      const { users = 0, n = 0 } = counts ?? {}
      if (n > 0) add(table, users, n - users)
      const at = EVENT_TABLES.find((each) => each === table)
      if (at && users > 0) for (const name of await namesBeside(deps, at, rows)) names.add(name)
    }
  for (const [kind, count] of await countBlobs(deps, projectIds, person)) add(kind, count, 0)
  for await (const { what } of recordsNaming(deps.records, projectIds, person)) add(what, 0, 1)
  const known = new Set(
    Object.values(person).flatMap((value) =>
      ['id', 'username', 'email', 'ip'].map((kind) => `${kind}:${value}`),
    ),
  )
  const kinds = [...found].map(([kind, counts]) => ({ kind, ...counts }))
  return {
    kinds,
    total: kinds.reduce((sum, { asUser, inTexts }) => sum + asUser + inTexts, 0),
    alsoKnownAs: [...names]
      .filter((name) => !known.has(name) && !known.has(name.toLowerCase()))
      .slice(0, MAX_NAMES),
  }
}

async function namesBeside(
  { telemetry }: Deps,
  table: (typeof EVENT_TABLES)[number],
  rows: { readonly byUser: string; readonly params: Readonly<Record<string, unknown>> },
): Promise<readonly string[]> {
  const found = await telemetry.query<{ name: string }>(
    `SELECT DISTINCT arrayJoin([user_key, if(user_email = '', '', concat('email:', user_email)),
       if(user_username = '', '', concat('username:', user_username)), if(user_ip = '', '', concat('ip:', user_ip))]) AS name
     FROM ${table} WHERE ${rows.byUser} LIMIT ${MAX_NAMES * 3}`,
    rows.params,
  )
  return found.map(({ name }) => name).filter((name) => name !== '')
}

/** Attachments of the person's events, and parts of recordings of their replays. */
async function countBlobs(
  deps: Deps,
  projectIds: readonly number[],
  person: Person,
): Promise<readonly (readonly [string, number])[]> {
  let attachments = 0
  let segments = 0
  for (const project of projectIds) {
    for await (const ids of eventIdsOf(deps, project, person)) {
      const row = await deps.records
        .selectFrom('attachment')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('project_id', '=', project)
        .where('event_id', 'in', ids)
        .executeTakeFirstOrThrow()
      attachments += row.n
    }
    for await (const ids of idsOf(deps, 'replays', project, person)) {
      const row = await deps.records
        .selectFrom('replay_segment')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('project_id', '=', project)
        .where('replay_id', 'in', ids)
        .executeTakeFirstOrThrow()
      segments += row.n
    }
  }
  return [
    ...(attachments > 0 ? [['attachments', attachments] as const] : []),
    ...(segments > 0 ? [['parts of recordings', segments] as const] : []),
  ]
}

/** Ids of the events, or replays, of a person, some at a time. */
async function* idsOf(
  { telemetry }: Deps,
  table: (typeof EVENT_TABLES)[number] | 'replays',
  project: number,
  person: Person,
): AsyncGenerator<readonly string[]> {
  const rows = personRows(table, project, person)
  if (!rows) return
  const column = table === 'replays' ? 'replay_id' : 'event_id'
  for (let last = ''; ;) {
    const found = await telemetry.query<{ id: string }>(
      `SELECT DISTINCT toString(${column}) AS id FROM ${table} WHERE ${rows.all} AND toString(${column}) > {last:String}
       ORDER BY id LIMIT ${EVENTS_AT_ONCE}`,
      { ...rows.params, last },
    )
    if (found.length > 0) yield found.map(({ id }) => id)
    if (found.length < EVENTS_AT_ONCE) return
    last = found.at(-1)?.id ?? ''
  }
}

async function* eventIdsOf(deps: Deps, project: number, person: Person) {
  for (const table of EVENT_TABLES) yield* idsOf(deps, table, project, person)
}

/** Rows of the widest tables are megabytes. */
const ROWS_AT_ONCE: Readonly<Partial<Record<TelemetryTable, number>>> = {
  events: 20,
  deleted_events: 20,
  profiles: 5,
}
const USUAL_ROWS_AT_ONCE = 500
const PIECE_BYTES = 192 * 1024

/**
 * All of it, as lines of JSON: first what the lines are, then a line for each row with its `kind`, and files in pieces of base64.
 * A page of rows or a piece of a file is in memory at a time.
 */
export async function* exportPerson(
  visible: Deps & Pick<QueryDeps, 'clock'> & { readonly blobs: Pick<Blobs, 'open' | 'note'> },
  grant: PersonGrant,
  person: Person,
): AsyncGenerator<string> {
  const deps = withAll(visible)
  const projectIds = await projectIdsOf(deps, grant)
  yield line({
    kind: 'index',
    person,
    exported: new Date(deps.clock.nowMs()).toISOString(),
    projects: await projectNames(deps.records, projectIds),
    kinds: [...PERSON_TABLES, 'attachment', 'recording', 'file', 'record'],
    files:
      'The pieces of a file follow in their order: kind "file", its name, and base64, or why it is unreadable. Recordings are as Sonde keeps them.',
  })
  for (const project of projectIds) {
    for (const table of PERSON_TABLES) yield* exportTable(deps, table, project, person)
    for await (const ids of eventIdsOf(deps, project, person)) {
      const attachments = await deps.records
        .selectFrom('attachment')
        .selectAll()
        .where('project_id', '=', project)
        .where('event_id', 'in', ids)
        .execute()
      for (const { blob, ...row } of attachments) {
        yield line({ kind: 'attachment', row })
        yield* exportFile(deps.blobs, blob, `attachment ${row.id}`)
      }
    }
    for await (const ids of idsOf(deps, 'replays', project, person)) {
      const segments = await deps.records
        .selectFrom('replay_segment')
        .selectAll()
        .where('project_id', '=', project)
        .where('replay_id', 'in', ids)
        .execute()
      for (const { blob, video_blob: video, ...row } of segments) {
        const name = `recording ${row.replay_id} ${row.segment_id}`
        yield line({ kind: 'recording', row })
        yield* exportFile(deps.blobs, blob, name)
        if (video !== null) yield* exportFile(deps.blobs, video, `${name} video`)
      }
    }
  }
  for await (const { what, row } of recordsNaming(deps.records, projectIds, person))
    yield line({ kind: 'record', of: what, row })
}

const line = (value: Readonly<Record<string, unknown>>): string => `${JSON.stringify(value)}\n`

async function* exportTable(
  { telemetry }: Deps,
  table: TelemetryTable,
  project: number,
  person: Person,
): AsyncGenerator<string> {
  const rows = personRows(table, project, person)
  if (!rows) return
  const limit = ROWS_AT_ONCE[table] ?? USUAL_ROWS_AT_ONCE
  for (let offset = 0; ; offset += limit) {
    const page = await telemetry.query<Record<string, unknown>>(
      `SELECT * FROM ${table} WHERE ${rows.all} ORDER BY received, log_partition, log_position, item_index, cityHash64(*)
       LIMIT ${limit} OFFSET ${offset}`,
      rows.params,
    )
    for (const row of page) yield line({ kind: table, row })
    if (page.length < limit) return
  }
}

/** What cannot be read says so in its place: the rest is exported all the same. */
async function* exportFile(
  blobs: Pick<Blobs, 'open' | 'note'>,
  blob: string,
  name: string,
): AsyncGenerator<string> {
  try {
    const opened = await blobs.open(blob)
    if (opened) yield* exportPieces(opened, name)
    else {
      blobs.note?.(blob, 'missing')
      yield line({ kind: 'file', name, unreadable: 'missing' })
    }
  } catch (error) {
    if (errorKind(error) !== 'internal') throw error
    yield line({ kind: 'file', name, unreadable: 'damaged' })
  }
}

async function* exportPieces(opened: OpenBlob, name: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of opened.stream) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= PIECE_BYTES) {
      yield line({ kind: 'file', name, base64: rest.subarray(0, PIECE_BYTES).toString('base64') })
      rest = rest.subarray(PIECE_BYTES)
    }
  }
  yield line({ kind: 'file', name, base64: rest.toString('base64') })
}

async function projectNames(records: Records, ids: readonly number[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('project')
    .select('slug')
    .where('id', 'in', ids)
    .orderBy('slug')
    .execute()
  return rows.map(({ slug }) => slug)
}

export type ErasureRow = {
  readonly id: number
  /** `acme/shop`, or `acme` for all projects. */
  readonly scope: string
  readonly by: string
  readonly state: ErasureState
  readonly requestedMs: number
  readonly finishedMs: number | undefined
  readonly counts: readonly { readonly kind: string; readonly count: number }[]
  readonly total: number
  /** SHA-256 of who it was. */
  readonly personHash: string
  readonly trouble: string
}

const MAX_ERASURES = 50

/** Those of the organization, or of it that touch the project, the newest first. */
export async function listErasures(
  { records }: Pick<QueryDeps, 'records'>,
  grant: PersonGrant,
  id?: number,
): Promise<readonly ErasureRow[]> {
  let query = records
    .selectFrom('erasure')
    .selectAll()
    .where('org_id', '=', grant.orgId)
    .orderBy('id', 'desc')
    .limit(MAX_ERASURES)
  if (id !== undefined) query = query.where('id', '=', id)
  const rows = await query.execute()
  const own = new Set(await projectIdsOf({ records: withHidden(records) }, grant))
  const seen = rows.filter(({ projects }) => {
    const ids = JSON.parse(projects) as number[]
    return 'projectId' in grant ? ids.some((each) => own.has(each)) : ids.every((each) => own.has(each))
  })
  const names = await actorNames(
    records,
    seen.map(({ actor }) => actor),
  )
  return seen.map((row) => {
    const counts = Object.entries(JSON.parse(row.counts) as Record<string, number>)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => ({ kind, count }))
    return {
      id: row.id,
      scope: row.scope,
      by: names.get(row.actor) ?? row.actor,
      state: row.state,
      requestedMs: row.requested_ms,
      finishedMs: row.finished_ms ?? undefined,
      counts,
      total: counts.reduce((sum, { count }) => sum + count, 0),
      personHash: row.person_hash,
      trouble: row.trouble,
    }
  })
}
