/** Which upload is meant: an organisation, its bytes, and what they are put together for. */
import type { AssemblyTarget, Records } from '@sonde/stores'

export type UploadKey = { readonly orgId: number; readonly checksum: string; readonly target: AssemblyTarget }

/** As it stands in the table: the same for the same target. */
export const targetText = ({ release, dist, projectIds }: AssemblyTarget): string =>
  JSON.stringify({ release, dist, projectIds: [...new Set(projectIds)].toSorted((a, b) => a - b) })

export const sameUpload = (key: UploadKey): string => `${key.orgId} ${key.checksum} ${targetText(key.target)}`

/** The row of an upload, for `select` and `update`. */
export const rowOf = ({ orgId, checksum, target }: UploadKey) => ({
  org_id: orgId,
  checksum,
  target: targetText(target),
})

/** The newest bundle that came from these bytes for this release; a target without one takes what the bytes say. */
export async function findBundle(
  records: Records,
  { orgId, checksum, target: { release, dist } }: UploadKey,
): Promise<number | undefined> {
  let query = records
    .selectFrom('artifact_bundle')
    .select('id')
    .where('org_id', '=', orgId)
    .where('checksum', '=', checksum)
    .where('kind', '=', 'bundle')
  if (release !== '') query = query.where('release', '=', release)
  if (dist !== '') query = query.where('dist', '=', dist)
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id
}
