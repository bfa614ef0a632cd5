/** The files of one upload: those that cannot be used first, then by name. */
import type { Grant } from '@sonde/access'
import { type ArtifactType, contains } from '@sonde/stores'
import { sql } from 'kysely'
import { type Cursor, FIRST_PAGE, offsetOf, offsetPage, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { MAX_PART, sqlOfUploads } from './uploads.ts'

export type UploadFile = {
  readonly id: number
  readonly type: ArtifactType
  /** `~/static/app.js` or a whole URL. */
  readonly url: string
  /** Empty: none. */
  readonly debugId: string
  /** What a script says its map is; empty: nothing. */
  readonly mapRef: string
  readonly bytes: number
  readonly storedBytes: number
  /** A `MapProblem` or `no_sources`; empty: none. */
  readonly problem: string
  readonly problemDetail: string
}

export type UploadFilesInput = {
  readonly uploadId: number
  /** A part of a name, or a debug id; empty: all. */
  readonly text?: string
  readonly cursor?: Cursor
  readonly limit?: number
}

/** Along `artifact_file_by_bundle`; nothing of an upload that is not of the project. */
export async function uploadFiles(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  { uploadId, text = '', cursor = FIRST_PAGE, limit = 50 }: UploadFilesInput,
): Promise<Page<UploadFile>> {
  const all = records
    .selectFrom('artifact_file')
    .select([
      'id',
      'type',
      'url',
      'debug_id as debugId',
      'map_ref as mapRef',
      'bytes',
      'stored_bytes as storedBytes',
      'problem',
      'problem_detail as problemDetail',
    ])
    .where('bundle_id', '=', uploadId)
    .where(
      'bundle_id',
      'in',
      sqlOfUploads(records, grant, '')
        .select('artifact_bundle.id')
        .where('artifact_bundle.id', '=', uploadId),
    )
  const found =
    text === ''
      ? all
      : all.where((on) =>
          on.or([contains('url', text.slice(0, MAX_PART)), on('debug_id', '=', text.toLowerCase())]),
        )
  const rows = await found
    .orderBy(sql`problem = ''`)
    .orderBy('artifact_file.url')
    .orderBy('id')
    .limit(limit + 1)
    .offset(offsetOf(cursor))
    .execute()
  return offsetPage(
    // An inline map is as long as the map.
    rows.map((row) => ({ ...row, mapRef: row.mapRef.slice(0, 300) })),
    cursor,
    limit,
  )
}
