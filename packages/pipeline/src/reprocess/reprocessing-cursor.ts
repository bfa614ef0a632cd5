/** How far a reprocessing is: the cursor is stored with its row, so that it goes on after any stop. */
import type { Clock } from '@sonde/base'
import {
  FIRST_PARTITION,
  type LogPositions,
  type Records,
  type ReprocessingCause,
  type ReprocessingTarget,
  type Telemetry,
  type TelemetryRow,
  writeTransaction,
} from '@sonde/stores'
import { partitionPrefix } from '../process/processed.ts'
import type { ScrubbedTable } from '../scrub/stored/row-kinds.ts'
import type { Pipeline } from '../start-pipeline.ts'
import type { createGatherer, Reprocess } from './gather-events.ts'
import type { ReprocessingStep } from './reprocessing-step.ts'
import type { Throttle } from './start-reprocessing.ts'

/**
 * Which are looked for: all events, and all rows of another table, to be scrubbed; events of a script that is known by its debug
 * id; those of a release.
 */
export const SCAN_KINDS = ['scrub', 'rows', 'debug_id', 'release'] as const
export type ScanKind = (typeof SCAN_KINDS)[number]

/**
 * `stored`: what was committed when the reprocessing run began. `late`: what came since and was perhaps processed before the files
 * were known.
 */
export type ReprocessingPass = 'stored' | 'late'

export type ReprocessingCursor = {
  readonly pass: ReprocessingPass
  /** Of the log: where the first pass ends and the second begins. */
  readonly from: LogPositions
  /** Where the second pass ends; it waits until this much is committed. */
  readonly to?: LogPositions
  /** Issues made later hold what was read with the files already. */
  readonly maxIssueId: number
  /** Those with something to look at in this pass; undefined: not looked for yet. */
  readonly projectIds?: readonly number[]
  readonly place?: ScanPlace
  /** Issue that kept its id for the first new error of its events: the next unknown one becomes an issue of its own. */
  readonly kept?: number
  /** Of the issue in hand: where its events went. */
  readonly moves?: Moves
  /** The chunk that is planned, and perhaps stored in part. Names of members are stored: they stay. */
  readonly lot?: Chunk
  /** Rows of another table that are being replaced. */
  readonly rows?: RowChunk
  /** How many chunks were planned: a part of their names. */
  readonly lots: number
  /** Without events, to become part of another. */
  readonly emptied: readonly Emptied[]
}

export type ScanPlace = {
  readonly kind: ScanKind
  readonly part: number
  readonly projectId: number
  readonly after?: EventPlace
  /** Of a scan of `rows`. */
  readonly afterRow?: RowPlace
}
/** In the order of the table: texts of the columns behind the project, and the row's own id. */
export type RowPlace = { readonly keys: readonly string[]; readonly id: string }
/** In the order of the table. */
export type EventPlace = { readonly issueId: number; readonly timestampMs: number; readonly eventId: string }
export type Moves = { readonly from: number; readonly into: Readonly<Record<string, number>> }
export type Emptied = { readonly issueId: number; readonly intoId: number }

/** `isInserted`: the new ones are there, and the old ones are being deleted. */
export type RowChunk = {
  readonly table: ScrubbedTable
  readonly projectId: number
  /** `rowIdOf` the rows of before, and their positions in the log. */
  readonly ids: readonly string[]
  readonly positions: readonly number[]
  readonly isInserted?: true
}

/** Rows that are replaced as one. */
export type Chunk = {
  readonly projectId: number
  readonly items: readonly ChunkItem[]
  /** Its events are scrubbed, and not read with source maps. */
  readonly scrubs?: true
}
export type ChunkItem = {
  readonly eventId: string
  /** Of the log; absent in cursors of earlier versions: the first. */
  readonly logPartition?: number | undefined
  readonly logPosition: number
  readonly itemIndex: number
  readonly timestampMs: number
  readonly receivedMs: number
  /** Of the row that is replaced. */
  readonly revision: number
  readonly from: number
  readonly to: number
  /** Events that were counted with it and not stored; absent: none. */
  readonly leftOut?: number
}
export type ChunkRow = { readonly item: ChunkItem; readonly row: TelemetryRow }

/** One row of `events`: an id alone may stand there twice, sent again after weeks. */
export const keyOf = (
  row: Pick<ChunkItem, 'eventId' | 'logPartition' | 'logPosition' | 'itemIndex'>,
): string => `${row.eventId}:${partitionPrefix(row.logPartition)}${row.logPosition}:${row.itemIndex}`

function readCursor(text: string): ReprocessingCursor | undefined {
  if (text === '') return undefined
  // Earlier versions wrote one position, of the only partition.
  const { fromPosition, toPosition, ...cursor } = JSON.parse(text) as ReprocessingCursor & {
    readonly fromPosition?: number
    readonly toPosition?: number
  }
  return {
    ...(fromPosition !== undefined && { from: { [FIRST_PARTITION]: fromPosition } }),
    ...(toPosition !== undefined && { to: { [FIRST_PARTITION]: toPosition } }),
    ...cursor,
  }
}

/** A reprocessing run as its row says, and how its row changes. */
export type OpenReprocessing = {
  readonly id: number
  readonly org_id: number
  readonly actor: string
  readonly cause: ReprocessingCause
  readonly target: ReprocessingTarget
  /** Undefined: not begun. */
  readonly cursor: ReprocessingCursor | undefined
}

/** The oldest first. */
export async function openReprocessings(records: Records, limit: number): Promise<readonly number[]> {
  const rows = await records
    .selectFrom('repair')
    .select('id')
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function readReprocessing(records: Records, id: number): Promise<OpenReprocessing | undefined> {
  const row = await records
    .selectFrom('repair')
    .selectAll()
    .where('id', '=', id)
    .where('finished_ms', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { org_id, actor, cause } = row
  return {
    id,
    org_id,
    actor,
    cause,
    target: JSON.parse(row.target) as ReprocessingTarget,
    cursor: readCursor(row.cursor),
  }
}

/** In a transaction: rows of the project are being replaced, and were not counted yet. */
export async function isChunkPlanned(tx: Records, projectId: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('repair')
    .select('cursor')
    .where('finished_ms', 'is', null)
    .where('cursor', '<>', '')
    .execute()
  return rows.some(({ cursor }) => readCursor(cursor)?.lot?.projectId === projectId)
}

type Progress = {
  readonly seen?: number
  readonly changed?: number
  readonly moved?: number
  readonly merged?: number
}

export async function saveCursor(
  tx: Records,
  id: number,
  cursor: ReprocessingCursor,
  { seen = 0, changed = 0, moved = 0, merged = 0 }: Progress = {},
): Promise<void> {
  await tx
    .updateTable('repair')
    .set((eb) => ({
      cursor: JSON.stringify(cursor),
      seen_count: eb('seen_count', '+', seen),
      changed_count: eb('changed_count', '+', changed),
      moved_count: eb('moved_count', '+', moved),
      merged_count: eb('merged_count', '+', merged),
      trouble: '',
    }))
    .where('id', '=', id)
    .execute()
}

/** So that people see why nothing goes on. */
export async function noteError(records: Records, id: number, trouble: string): Promise<void> {
  await records
    .updateTable('repair')
    .set({ trouble })
    .where('id', '=', id)
    .where('finished_ms', 'is', null)
    .execute()
}

// Finished ones are shown on a screen and named by the audit; nobody asks for older ones.
const KEPT_MS = 30 * 86_400_000

/** Leaves a line in the audit when there is something to say, and when somebody asked. */
export async function finishReprocessing(
  records: Records,
  reprocessing: OpenReprocessing,
  nowMs: number,
): Promise<void> {
  await writeTransaction(records, async (tx) => {
    const row = await tx
      .updateTable('repair')
      .set({ finished_ms: nowMs, cursor: '', trouble: '' })
      .where('id', '=', reprocessing.id)
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    await tx
      .deleteFrom('repair')
      .where('finished_ms', '<', nowMs - KEPT_MS)
      .execute()
    if (row.changed_count === 0 && reprocessing.cause === 'upload') return
    const org = await tx
      .selectFrom('organization')
      .select('slug')
      .where('id', '=', reprocessing.org_id)
      .executeTakeFirst()
    const { seen_count: seen, changed_count: changed, moved_count: moved, merged_count: merged } = row
    const release = reprocessing.target.release
    await tx
      .insertInto('audit_entry')
      .values({
        org_id: reprocessing.org_id,
        actor: reprocessing.actor,
        action: 'artifacts.repair',
        subject: org?.slug ?? '',
        detail: JSON.stringify({ repair: reprocessing.id, release, seen, changed, moved, merged }),
        at_ms: nowMs,
      })
      .execute()
  })
}

/** What a reprocessing run works with, and what a step of it comes to. */
export type ReprocessingNeeds = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly reprocess: Reprocess
  readonly pipeline: Pick<Pipeline, 'readTo'>
  readonly gather: ReturnType<typeof createGatherer>
  readonly throttle: Throttle
  /** After what was changed can be queried. */
  readonly onChange: (change: ReprocessingChange) => void
  readonly afterStep: (step: ReprocessingStep) => void | Promise<void>
  readonly signal: AbortSignal
}
export type ReprocessingChange = {
  readonly projects: readonly number[]
  readonly issues: readonly number[]
  readonly created: readonly number[]
  readonly regressed: readonly number[]
}
/** `waits`: for the pipeline; to be called again a little later. */
export type StepEnd = 'more' | 'waits' | 'done'
