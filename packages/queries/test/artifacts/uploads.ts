/** Rows of uploads as assembling writes them. */
import type { ArtifactBundleTable, ArtifactFileTable } from '@sonde/stores'
import type { Insertable } from 'kysely'
import { type Harness, NOW_MS } from '../harness.ts'

export async function upload(
  { db }: Harness,
  org: { readonly orgId: number },
  projects: readonly { readonly projectId: number }[],
  bundle: Partial<Insertable<ArtifactBundleTable>>,
  files: readonly Partial<Insertable<ArtifactFileTable>>[],
): Promise<number> {
  const { id } = await db
    .insertInto('artifact_bundle')
    .values({
      org_id: org.orgId,
      kind: 'bundle',
      checksum: 'c'.repeat(40),
      debug_id: '',
      release: '',
      dist: '',
      actor: 'operator',
      created_ms: NOW_MS,
      last_used_ms: null,
      ...bundle,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { projectId } of projects)
    await db.insertInto('artifact_bundle_project').values({ bundle_id: id, project_id: projectId }).execute()
  for (const file of files)
    await db
      .insertInto('artifact_file')
      .values({
        bundle_id: id,
        org_id: org.orgId,
        type: 'minified_source',
        url: '~/app.js',
        debug_id: '',
        map_ref: '',
        headers: '{}',
        blob: 'blob',
        bytes: 100,
        stored_bytes: 40,
        sha1: 'a'.repeat(40),
        problem: '',
        problem_detail: '',
        created_ms: NOW_MS,
        ...file,
      })
      .execute()
  return id
}
