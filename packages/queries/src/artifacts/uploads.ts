/** What was uploaded to make stacks of a project readable, the newest first. */
import type { Grant } from '@sonde/access'
import { type BundleKind, contains, countIf, type Records } from '@sonde/stores'
import { sql } from 'kysely'
import { type Cursor, FIRST_PAGE, offsetOf, offsetPage, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'

/** Names of files have no index: those of older uploads are found by release or debug id. */
export const FILES_SEARCHED_IN = 200

/** The project's bundles that a text matches: of release, dist, debug id, checksum, or, of the newest, a file's name. */
export function sqlOfUploads(
  records: Records,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  text: string,
) {
  const all = records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('artifact_bundle.org_id', '=', orgId)
  if (text === '') return all
  const part = text.slice(0, MAX_PART)
  const newest = records
    .selectFrom('artifact_bundle_project')
    .select('bundle_id')
    .where('project_id', '=', projectId)
    .orderBy('bundle_id', 'desc')
    .limit(FILES_SEARCHED_IN)
  return all.where((on) =>
    on.or([
      contains('artifact_bundle.release', part),
      on('artifact_bundle.dist', '=', text),
      on('artifact_bundle.checksum', '=', text.toLowerCase()),
      on('artifact_bundle.id', 'in', (file) =>
        file
          .selectFrom('artifact_file')
          .select('bundle_id')
          .where('org_id', '=', orgId)
          .where('debug_id', '=', text.toLowerCase())
          .where('debug_id', '<>', ''),
      ),
      on('artifact_bundle.id', 'in', (file) =>
        file
          .selectFrom('artifact_file')
          .select('bundle_id')
          .where('bundle_id', 'in', newest)
          .where(contains('url', part)),
      ),
    ]),
  )
}

/** Of what somebody types to find a name. */
export const MAX_PART = 200

export type Upload = {
  readonly id: number
  /** `release_files`: uploaded file by file for one release and dist. */
  readonly kind: BundleKind
  /** Empty: found by debug id alone. */
  readonly release: string
  readonly dist: string
  /** `actorOf` who uploaded it. */
  readonly actor: string
  readonly createdMs: number
  /** To the day; undefined: no frame was read with it yet. */
  readonly lastUsedMs: number | undefined
} & UploadSums

export type UploadsInput = {
  /** A part of a release, of a file's name, or a debug id; empty: all. */
  readonly text?: string
  readonly cursor?: Cursor
  readonly limit?: number
}

type Deps = Pick<QueryDeps, 'records'>

/** Reads the project's bundles along `artifact_bundle_by_project`, and the files of those that are shown. */
export async function uploads(
  { records }: Deps,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  { text = '', cursor = FIRST_PAGE, limit = 30 }: UploadsInput = {},
): Promise<Page<Upload>> {
  const rows = await sqlOfUploads(records, grant, text)
    .select(COLUMNS)
    .orderBy('artifact_bundle.id', 'desc')
    .limit(limit + 1)
    .offset(offsetOf(cursor))
    .execute()
  const sums = await uploadSums(
    records,
    rows.map(({ id }) => id),
  )
  return offsetPage(
    rows.map((row) => uploadOf(row, sums)),
    cursor,
    limit,
  )
}

/** Undefined: there is none of this id in the project. */
export async function findUpload(
  { records }: Deps,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  id: number,
): Promise<Upload | undefined> {
  const row = await sqlOfUploads(records, grant, '')
    .select(COLUMNS)
    .where('artifact_bundle.id', '=', id)
    .executeTakeFirst()
  return row && uploadOf(row, await uploadSums(records, [id]))
}

const COLUMNS = [
  'artifact_bundle.id',
  'artifact_bundle.kind',
  'artifact_bundle.release',
  'artifact_bundle.dist',
  'artifact_bundle.actor',
  'artifact_bundle.created_ms as createdMs',
  'artifact_bundle.last_used_ms as lastUsedMs',
] as const

const NOTHING: UploadSums = { files: 0, debugIds: 0, bytes: 0, storedBytes: 0, problems: 0 }

type Row = Omit<Upload, keyof UploadSums | 'lastUsedMs'> & { readonly lastUsedMs: number | null }

const uploadOf = ({ lastUsedMs, ...row }: Row, sums: ReadonlyMap<number, UploadSums>): Upload => ({
  ...row,
  lastUsedMs: lastUsedMs ?? undefined,
  ...(sums.get(row.id) ?? NOTHING),
})

type UploadSums = {
  readonly files: number
  /** Different ones. */
  readonly debugIds: number
  /** Uncompressed. */
  readonly bytes: number
  /** On disk; what other uploads have too is counted in each. */
  readonly storedBytes: number
  /** Files that cannot be used as they are. */
  readonly problems: number
}

/** By bundle; one without files is not in it. */
async function uploadSums(
  records: Records,
  bundleIds: readonly number[],
): Promise<ReadonlyMap<number, UploadSums>> {
  if (bundleIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('artifact_file')
    .select([
      'bundle_id as id',
      sql<number>`count(*)`.as('files'),
      sql<number>`count(DISTINCT nullif(debug_id, ''))`.as('debugIds'),
      sql<number>`sum(bytes)`.as('bytes'),
      sql<number>`sum(stored_bytes)`.as('storedBytes'),
      countIf(sql`problem <> ''`).as('problems'),
    ])
    .where('bundle_id', 'in', bundleIds)
    .groupBy('bundle_id')
    .execute()
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}
