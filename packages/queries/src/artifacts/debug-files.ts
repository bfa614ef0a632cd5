/** Debug files of a project, the newest first: symbols of native programs, mappings of obfuscated ones. */
import type { Grant } from '@sonde/access'
import { contains, DEBUG_FILE_TYPES, type DebugFileType } from '@sonde/stores'
import { type Cursor, FIRST_PAGE, offsetOf, offsetPage, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { MAX_PART, sqlOfUploads } from './uploads.ts'

export type DebugFileRow = {
  readonly id: number
  /** Of the upload that it came with: it is deleted with it. */
  readonly uploadId: number
  readonly type: DebugFileType
  readonly name: string
  readonly debugId: string
  /** Empty: none. */
  readonly codeId: string
  readonly cpu: string
  readonly features: readonly string[]
  readonly bytes: number
  readonly sha1: string
  readonly createdMs: number
}

export type DebugFilesInput = {
  /** Part of a name, a debug id, a code id; empty: all. */
  readonly text?: string
  /** SHA-1 of the uploads they came with. */
  readonly checksums?: readonly string[]
  readonly cursor?: Cursor
  readonly limit?: number | undefined
}

/** Along `artifact_bundle_by_project` and `artifact_file_by_bundle`. */
export async function debugFiles(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  { text = '', checksums, cursor = FIRST_PAGE, limit = 50 }: DebugFilesInput = {},
): Promise<Page<DebugFileRow>> {
  let ofProject = sqlOfUploads(records, grant, '')
    .select('artifact_bundle.id')
    .where('artifact_bundle.kind', '=', 'debug_file')
  if (checksums) ofProject = ofProject.where('artifact_bundle.checksum', 'in', checksums)
  let query = records
    .selectFrom('artifact_file')
    .select([
      'id',
      'bundle_id as uploadId',
      'type',
      'url as name',
      'debug_id as debugId',
      'map_ref as codeId',
      'headers',
      'bytes',
      'sha1',
      'created_ms as createdMs',
    ])
    .where('type', 'in', DEBUG_FILE_TYPES)
    .where('bundle_id', 'in', ofProject)
  if (text !== '')
    query = query.where((on) =>
      on.or([
        contains('url', text.slice(0, MAX_PART)),
        on('debug_id', '=', text.toLowerCase()),
        on('map_ref', '=', text.toLowerCase()),
      ]),
    )
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(offsetOf(cursor))
    .execute()
  return offsetPage(
    rows.map(({ headers, type, ...row }) => {
      const { cpu = '', features = '' } = JSON.parse(headers) as { cpu?: string; features?: string }
      return {
        ...row,
        type: type as DebugFileType,
        cpu,
        features: features.split(' ').filter((each) => each !== ''),
      }
    }),
    cursor,
    limit,
  )
}
