/**
 * What the scrubbing rules of a project would take out of what is stored: read, tried and nothing written. The newest of each
 * kind are looked at; an exact number needs to read everything, which is what applying the rules does.
 */
import type { Grant } from '@sonde/access'
import { readProjectSettings, type RowTable, type ScrubRules } from '@sonde/stores'
import { recentPayloads } from '../events/recent-payloads.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { ScrubbedValue, TryStored } from './try-stored.ts'

type TriedKind = {
  /** Name of its table. */
  readonly kind: 'events' | RowTable
  readonly total: number
  /** The newest so many. */
  readonly looked: number
  /** Of those. */
  readonly changed: number
  /** One for each place in them. */
  readonly examples: readonly ScrubbedValue[]
}
/** Kinds without a row are left out. `isCut`: time was over before all kinds were looked at. */
export type ScrubTrial = { readonly kinds: readonly TriedKind[]; readonly isCut: boolean }

/** Of each kind: seconds of work at most, and enough to see what a rule does. */
const MAX_ROWS = 1_000
/** A row has some kilobytes; a batch of a log collector may have attributes of a hundred. */
const MAX_BYTES = 8 * 1024 * 1024
const WITHIN_MS = 10_000
const MAX_EXAMPLES = 5
const MAX_CHARS = 80

type Trial = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'> & {
  readonly projectId: number
  readonly tryStored: TryStored
  readonly rules: ScrubRules
  readonly isOver: () => boolean
}

/** With the rules that are saved. Ends early when `signal` is aborted: nobody waits any more. */
export async function scrubTrial(
  deps: QueryDeps,
  grant: Grant<'project:write', 'project'>,
  signal?: AbortSignal,
): Promise<ScrubTrial> {
  const { records, telemetry, clock, tryStored } = deps
  if (!tryStored) return { kinds: [], isCut: true }
  const { projectId } = grant
  const row = await records
    .selectFrom('project_setting')
    .select('value')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const untilMs = performance.now() + WITHIN_MS
  const isOver = (): boolean => signal?.aborted === true || performance.now() > untilMs
  const rules = readProjectSettings(row?.value ?? '').scrub
  const trial = { records, telemetry, clock, projectId, tryStored, rules, isOver }
  const kinds: TriedKind[] = []
  for (const kind of ['events', ...tryStored.tables] as const) {
    if (isOver()) return { kinds, isCut: true }
    const [found] = await telemetry.query<{ n: number }>(
      `SELECT count() AS n FROM ${kind} WHERE project_id = {project:UInt32}`,
      { project: projectId },
    )
    const total = found?.n ?? 0
    if (total === 0) continue
    kinds.push({ total, ...(kind === 'events' ? await tryEvents(trial) : await tryRows(trial, kind)) })
  }
  return { kinds, isCut: isOver() }
}

async function tryEvents({ projectId, tryStored, rules, isOver, ...deps }: Trial): Promise<Tried> {
  const sums = startSums('events')
  let cursor: string | undefined
  do {
    const { places, payloads, next } = await recentPayloads(deps, projectId, cursor)
    for (const { eventId } of places) sums.add(tryStored.event(payloads.get(eventId) ?? '', rules))
    cursor = next
  } while (cursor !== undefined && sums.looked() < MAX_ROWS && !isOver())
  return sums.end()
}

async function tryRows(
  { telemetry, projectId, tryStored, rules, isOver }: Trial,
  table: RowTable,
): Promise<Tried> {
  const sums = startSums(table)
  const columns = tryStored.columnsOf(table)
  // The column of times alone says from when on they are; then the others are read of few rows.
  const rows = await telemetry.query<Readonly<Record<string, unknown>>>(
    `WITH (SELECT min(received) FROM (
         SELECT received FROM ${table} WHERE project_id = {project:UInt32} ORDER BY received DESC LIMIT {limit:UInt32}
       )) AS since
     SELECT ${columns.join(', ')} FROM ${table} WHERE project_id = {project:UInt32} AND received >= since
     ORDER BY received DESC LIMIT {limit:UInt32}`,
    { project: projectId, limit: MAX_ROWS },
  )
  let bytes = 0
  for (const row of rows) {
    if (bytes > MAX_BYTES || isOver()) break
    bytes += JSON.stringify(row).length
    sums.add(tryStored.row(table, row, rules))
  }
  return sums.end()
}

type Tried = Omit<TriedKind, 'total'>

function startSums(kind: TriedKind['kind']) {
  let looked = 0
  let changed = 0
  const examples = new Map<string, ScrubbedValue>()
  return {
    looked: () => looked,
    add(values: readonly ScrubbedValue[]): void {
      looked++
      if (values.length > 0) changed++
      for (const value of values) {
        if (examples.size >= MAX_EXAMPLES) return
        if (!examples.has(value.path)) examples.set(value.path, shortened(value))
      }
    },
    end: (): Tried => ({ kind, looked, changed, examples: [...examples.values()] }),
  }
}

/** Around the first character that is another. */
function shortened({ before, after, ...value }: ScrubbedValue): ScrubbedValue {
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  const from = same < MAX_CHARS / 2 ? 0 : same - MAX_CHARS / 4
  const cut = (text: string): string =>
    `${from > 0 && text !== '' ? '…' : ''}${text.slice(from, from + MAX_CHARS)}${text.length > from + MAX_CHARS ? '…' : ''}`
  return { ...value, before: cut(before), after: cut(after) }
}
