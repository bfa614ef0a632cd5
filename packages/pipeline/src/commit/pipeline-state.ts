/** How far the pipeline is, as the records say: the one truth after a crash. */
import type { LogPositions, Records } from '@sonde/stores'

export type PipelinePosition = {
  readonly position: number
  /** A batch that went to telemetry and was not counted yet: it has to be repeated exactly. */
  readonly inflight: Inflight | undefined
}
export type Inflight = { readonly from: number; readonly to: number; readonly held: HeldItems }

/** Items that the batch does not store because they would be too much, by `placeKey`. Decided once for the batch. */
export type HeldItems = ReadonlyMap<string, HeldReason>
export type HeldReason =
  | 'new_issues'
  | 'attachment_quota'
  | 'spike'
  | 'thinned'
  | 'held_back'
  | 'discarded'
  | 'replay_limit'

export const placeKey = (item: { readonly position: number; readonly itemIndex: number }): string =>
  `${item.position}:${item.itemIndex}`

/** The consumer's row; another consumer of the same log gets another name. */
const NAME = 'pipeline'

/** `startAt` counts only the first time ever. */
export async function readPosition(
  records: Records,
  partition: number,
  startAt: number,
): Promise<PipelinePosition> {
  const row = await records
    .selectFrom('pipeline_state')
    .selectAll()
    .where('name', '=', NAME)
    .where('log_partition', '=', partition)
    .executeTakeFirst()
  if (!row) {
    const first = {
      name: NAME,
      log_partition: partition,
      position: startAt,
      inflight_from: null,
      inflight_to: null,
      held: null,
      inflight_projects: null,
    }
    await records
      .insertInto('pipeline_state')
      .values(first)
      .onConflict((on) => on.doNothing())
      .execute()
    return { position: startAt, inflight: undefined }
  }
  const { position, inflight_from: from, inflight_to: to } = row
  if (from === null || to === null) return { position, inflight: undefined }
  return { position, inflight: { from, to, held: readHeld(row.held) } }
}

export async function markInflight(
  tx: Records,
  { partition, from, to }: { readonly partition: number; readonly from: number; readonly to: number },
  held: HeldItems,
  projectIds: ReadonlySet<number>,
): Promise<void> {
  const marks = {
    inflight_from: from,
    inflight_to: to,
    inflight_projects: JSON.stringify([...projectIds]),
    held: held.size > 0 ? JSON.stringify([...held]) : null,
  }
  await tx
    .updateTable('pipeline_state')
    .set(marks)
    .where('name', '=', NAME)
    .where('log_partition', '=', partition)
    .execute()
}

/** The how manieth process it is that begins with the batch in flight. Durable before the batch is touched. */
export async function noteTry(records: Records, partition: number): Promise<number> {
  const row = await records
    .updateTable('pipeline_state')
    .set((eb) => ({ inflight_tries: eb('inflight_tries', '+', 1) }))
    .where('name', '=', NAME)
    .where('log_partition', '=', partition)
    .returning('inflight_tries')
    .executeTakeFirst()
  return row?.inflight_tries ?? 0
}

export async function moveTo(tx: Records, partition: number, position: number): Promise<void> {
  const done = {
    position,
    inflight_from: null,
    inflight_to: null,
    inflight_projects: null,
    held: null,
    inflight_tries: 0,
  }
  await tx
    .updateTable('pipeline_state')
    .set(done)
    .where('name', '=', NAME)
    .where('log_partition', '=', partition)
    .execute()
}

/** By partition, the end of the batch in flight, of those that may have events of the project. */
export async function inflightWith(
  records: Records,
  projectId: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await records
    .selectFrom('pipeline_state')
    .select(['log_partition', 'inflight_to', 'inflight_projects'])
    .where('name', '=', NAME)
    .execute()
  return new Map(
    rows.flatMap(({ log_partition: partition, inflight_to: to, inflight_projects: projects }) =>
      to !== null && (projects === null || (JSON.parse(projects) as number[]).includes(projectId))
        ? [[partition, to] as const]
        : [],
    ),
  )
}

/** What is committed, in each partition that a pipeline has begun. */
export async function committedPositions(records: Records): Promise<LogPositions> {
  const rows = await records
    .selectFrom('pipeline_state')
    .select(['log_partition', 'position'])
    .where('name', '=', NAME)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.log_partition, row.position]))
}

function readHeld(text: string | null): HeldItems {
  return new Map(text === null ? [] : (JSON.parse(text) as (readonly [string, HeldReason])[]))
}
