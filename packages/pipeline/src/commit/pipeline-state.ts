/** How far the pipeline is, as the records say: the one truth after a crash. */
import type { Records } from '@sonde/stores'

export type PipelinePosition = {
  readonly position: number
  /** A batch that went to telemetry and was not counted yet: it has to be repeated exactly. */
  readonly inflight: { readonly from: number; readonly to: number } | undefined
}

/** The consumer's row; another consumer of the same log gets another name. */
const NAME = 'pipeline'

/** `startAt` counts only the first time ever. */
export async function readPosition(records: Records, startAt: number): Promise<PipelinePosition> {
  const row = await records
    .selectFrom('pipeline_state')
    .selectAll()
    .where('name', '=', NAME)
    .executeTakeFirst()
  if (!row) {
    const first = { name: NAME, position: startAt, inflight_from: null, inflight_to: null }
    await records
      .insertInto('pipeline_state')
      .values(first)
      .onConflict((on) => on.doNothing())
      .execute()
    return { position: startAt, inflight: undefined }
  }
  const { position, inflight_from: from, inflight_to: to } = row
  return { position, inflight: from === null || to === null ? undefined : { from, to } }
}

export async function markInflight(tx: Records, from: number, to: number): Promise<void> {
  const marks = { inflight_from: from, inflight_to: to }
  await tx.updateTable('pipeline_state').set(marks).where('name', '=', NAME).execute()
}

export async function moveTo(tx: Records, position: number): Promise<void> {
  const done = { position, inflight_from: null, inflight_to: null }
  await tx.updateTable('pipeline_state').set(done).where('name', '=', NAME).execute()
}
