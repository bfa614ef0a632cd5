/** The debug file of an image by its debug id: looked up in the whole organization, as ids are unique. */
import { DEBUG_FILE_TYPES, type DebugFileType } from '../records/artifact-tables.ts'
import type { Records } from '../records/schema.ts'
import { FILE_COLUMNS, type FoundFile, foundFile } from './found-files.ts'

export type FoundDebugFile = FoundFile & { readonly type: DebugFileType }

/** An id is uploaded again with every build that leaves a file as it was. */
const MAX_FILES = 50

/** The one that tells most, and of those the newest: lines are worth more than functions alone. Undefined: there is none. */
export async function findDebugFile(
  records: Records,
  orgId: number,
  debugId: string,
): Promise<FoundDebugFile | undefined> {
  const rows = await records
    .selectFrom('artifact_file')
    .select([...FILE_COLUMNS, 'stored_bytes'])
    .where('org_id', '=', orgId)
    .where('debug_id', '=', debugId)
    .where('debug_id', '!=', '')
    .where('type', 'in', DEBUG_FILE_TYPES)
    .orderBy('id', 'desc')
    .limit(MAX_FILES)
    .execute()
  // A stripped program and its debug file have one id; the larger is not the stripped one.
  const rank = (row: (typeof rows)[number]): number => (row.type === 'breakpad' ? 0 : 1)
  const [best] = rows.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? 0 : b.bytes - a.bytes))
  return best && { ...foundFile(best), type: best.type as DebugFileType }
}
