/** The files that were uploaded one by one for a release, as `sentry-cli releases files list` shows them. */
import type { Grant } from '@sonde/access'
import { type Cursor, FIRST_PAGE, offsetOf, offsetPage, type Page, pageLimit } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'

export type ReleaseFile = {
  readonly id: number
  readonly name: string
  /** Empty: none. */
  readonly dist: string
  /** JSON object. */
  readonly headers: string
  readonly bytes: number
  readonly sha1: string
  readonly createdMs: number
}

export type ReleaseFilesInput = {
  readonly version: string
  readonly fileId?: number
  readonly limit?: number | undefined
  readonly cursor?: Cursor | undefined
}

/** By name. Of a release in several projects a file is listed once. */
export async function releaseFiles(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  { version, fileId, limit, cursor = FIRST_PAGE }: ReleaseFilesInput,
): Promise<Page<ReleaseFile>> {
  const rows = pageLimit(limit, 100)
  let query = records
    .selectFrom('artifact_file')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_file.bundle_id')
    .select((eb) => [
      eb.fn.min('artifact_file.id').as('id'),
      'artifact_file.url as name',
      'artifact_bundle.dist',
      'artifact_file.headers',
      'artifact_file.bytes',
      'artifact_file.sha1',
      'artifact_file.created_ms as createdMs',
    ])
    .where('artifact_bundle.org_id', '=', grant.orgId)
    .where('artifact_bundle.release', '=', version)
    .where('artifact_bundle.kind', '=', 'release_files')
  if ('projectId' in grant)
    query = query.where('artifact_bundle.id', 'in', (eb) =>
      eb.selectFrom('artifact_bundle_project').select('bundle_id').where('project_id', '=', grant.projectId),
    )
  if (fileId !== undefined) query = query.where('artifact_file.id', '=', fileId)
  const found = await query
    .groupBy(['artifact_file.url', 'artifact_bundle.dist', 'artifact_file.sha1'])
    .orderBy('artifact_file.url')
    .orderBy('artifact_bundle.dist')
    .orderBy('artifact_file.sha1')
    .limit(rows + 1)
    .offset(offsetOf(cursor))
    .execute()
  return offsetPage(found, cursor, rows)
}
