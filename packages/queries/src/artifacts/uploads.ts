/** What was uploaded to make stacks of a project readable, the newest first. */
import type { Grant } from '@sonde/access'
import type { BundleKind } from '@sonde/stores'
import { type Cursor, FIRST_PAGE, offsetOf, offsetPage, type Page } from '../cursor.ts'
import type { QueryDeps } from '../query-deps.ts'
import { sqlOfUploads } from './upload-search.ts'
import { uploadSums, type UploadSums } from './upload-sums.ts'

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
