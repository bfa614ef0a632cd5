/** Begins and continues the spikes of a batch that left events out. Runs in the transaction that moves the position. */
import type { Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'

const MINUTE_MS = 60_000

export async function noteSpikes(
  tx: Records,
  leftOut: Iterable<ProcessedEvent>,
  stored: readonly ProcessedEvent[],
): Promise<void> {
  for (const [projectId, events] of Map.groupBy(leftOut, (event) => event.projectId)) {
    const baseline = await tx
      .selectFrom('spike_baseline')
      .select(['usual_per_hour', 'minute_limit'])
      .where('project_id', '=', projectId)
      .where('category', '=', 'event')
      .executeTakeFirst()
    // Deleted meanwhile, with all that is its own.
    if (!baseline) continue
    const times = events.map(({ receivedMs }) => receivedMs)
    const firstMs = times.reduce((a, b) => Math.min(a, b), Infinity)
    const lastMs = times.reduce((a, b) => Math.max(a, b), 0)
    const kept = stored.reduce((sum, event) => sum + (event.projectId === projectId ? 1 : 0), 0)
    const peak = await peakWithin(tx, projectId, firstMs, lastMs)
    const open = await tx
      .selectFrom('spike')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('category', '=', 'event')
      .where('ended_ms', 'is', null)
      .executeTakeFirst()
    if (!open) {
      const spike = {
        project_id: projectId,
        category: 'event',
        started_ms: firstMs,
        last_ms: lastMs,
      } as const
      await tx
        .insertInto('spike')
        .values({ ...spike, ...baseline, peak_per_minute: peak, kept, sampled: events.length })
        .execute()
      continue
    }
    await tx
      .updateTable('spike')
      .set({
        last_ms: Math.max(open.last_ms, lastMs),
        peak_per_minute: Math.max(open.peak_per_minute, peak),
        kept: open.kept + kept,
        sampled: open.sampled + events.length,
      })
      .where('id', '=', open.id)
      .execute()
  }
}

async function peakWithin(tx: Records, projectId: number, firstMs: number, lastMs: number): Promise<number> {
  const row = await tx
    .selectFrom('spike_minute')
    .select((eb) => eb.fn.max('received').as('most'))
    .where('project_id', '=', projectId)
    .where('category', '=', 'event')
    .where('minute_ms', '>', firstMs - MINUTE_MS)
    .where('minute_ms', '<=', lastMs)
    .executeTakeFirst()
  return row?.most ?? 0
}
