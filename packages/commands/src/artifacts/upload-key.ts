/** Which upload is meant: an organization, its bytes, and what they are put together for. */
import type { AssemblyTarget, Records } from '@sonde/stores'

export type UploadKey = { readonly orgId: number; readonly checksum: string; readonly target: AssemblyTarget }

/** As it stands in the table: the same for the same target. */
const targetText = ({ release, dist, projectIds, debugFile }: AssemblyTarget): string =>
  JSON.stringify({
    release,
    dist,
    projectIds: [...new Set(projectIds)].toSorted((a, b) => a - b),
    ...(debugFile && { debugFile }),
  })

export const sameUpload = (key: UploadKey): string => `${key.orgId} ${key.checksum} ${targetText(key.target)}`

/** The row of an upload, for `select` and `update`. */
export const rowOf = ({ orgId, checksum, target }: UploadKey) => ({
  org_id: orgId,
  checksum,
  target: targetText(target),
})

/**
 * The newest bundle that came from these bytes for this release and dist. Where the request left one of them to the
 * manifest, only what was said about that very request tells which bundle it became.
 */
export async function findBundle(records: Records, key: UploadKey): Promise<number | undefined> {
  const { release, dist, debugFile } = key.target
  // The same bytes may be the mapping of two builds, each under an id of its own.
  if (debugFile)
    return (await bundlesOf(records, key).where('debug_id', '=', debugFile.debugId).executeTakeFirst())?.id
  const exact = await bundlesOf(records, key)
    .where('release', '=', release)
    .where('dist', '=', dist)
    .executeTakeFirst()
  if (exact || (await readAssembly(records, key))?.state !== 'ok') return exact?.id
  let query = bundlesOf(records, key)
  if (release !== '') query = query.where('release', '=', release)
  if (dist !== '') query = query.where('dist', '=', dist)
  return (await query.executeTakeFirst())?.id
}

const bundlesOf = (records: Records, { orgId, checksum, target }: UploadKey) =>
  records
    .selectFrom('artifact_bundle')
    .select('id')
    .where('org_id', '=', orgId)
    .where('checksum', '=', checksum)
    .where('kind', '=', target.debugFile ? 'debug_file' : 'bundle')
    .orderBy('id', 'desc')
    .limit(1)

/** What is known of putting these bytes together for this target; undefined: nobody asked yet. */
export function readAssembly(records: Records, key: UploadKey) {
  const { org_id, checksum, target } = rowOf(key)
  return records
    .selectFrom('artifact_assembly')
    .select(['state', 'detail', 'can_retry'])
    .where('org_id', '=', org_id)
    .where('checksum', '=', checksum)
    .where('target', '=', target)
    .executeTakeFirst()
}
