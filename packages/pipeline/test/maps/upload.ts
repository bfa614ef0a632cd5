/** Puts files among the uploaded ones, as an upload does. */
import { createHash, randomUUID } from 'node:crypto'
import { type ArtifactType, type Blobs, packContent, type Records } from '@sonde/stores'

export type UploadedFile = {
  readonly type: ArtifactType
  readonly url: string
  readonly content: string | Uint8Array
  readonly debugId?: string
  readonly mapRef?: string
  /** What the row says, where that is not what it has. */
  readonly bytes?: number
}

export async function upload(
  { records, blobs }: { readonly records: Records; readonly blobs: Blobs },
  projectId: number,
  files: readonly UploadedFile[],
  { release = '', dist = '' } = {},
): Promise<number> {
  const { org_id: orgId } = await records
    .selectFrom('project')
    .select('org_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const bundle = {
    org_id: orgId,
    kind: 'bundle' as const,
    checksum: '',
    debug_id: '',
    release,
    dist,
    actor: 'operator:cli',
    created_ms: 0,
    last_used_ms: null,
  }
  const { id } = await records
    .insertInto('artifact_bundle')
    .values(bundle)
    .returning('id')
    .executeTakeFirstOrThrow()
  await records
    .insertInto('artifact_bundle_project')
    .values({ bundle_id: id, project_id: projectId })
    .execute()
  for (const { type, url, content, debugId = '', mapRef = '', bytes: told } of files) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const packed = await packContent(bytes)
    const blob = `artifacts/${orgId}/${randomUUID()}`
    await blobs.put(blob, packed)
    await records
      .insertInto('artifact_file')
      .values({
        bundle_id: id,
        org_id: orgId,
        type,
        url,
        debug_id: debugId,
        map_ref: mapRef,
        headers: '{}',
        blob,
        bytes: told ?? bytes.length,
        stored_bytes: packed.length,
        sha1: createHash('sha1').update(bytes).digest('hex'),
        problem: '',
        problem_detail: '',
        created_ms: 0,
      })
      .execute()
  }
  return id
}
