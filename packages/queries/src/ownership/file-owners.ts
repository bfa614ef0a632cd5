/** Whose file it is, as the ownership rules and CODEOWNERS files of a project name them. */
import { readOwnership } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

/** More names do not fit a sentence. */
const MAX_NAMES = 3

/**
 * Of each path the owners of the rule that decides, as they stand there: `@acme/pay`, `#pay`, an address. Empty: no rule
 * matches, or the file says that nobody owns it. `projectId` comes from a grant. Reads two rows; the rules are kept.
 */
export async function fileOwners(
  { records }: Pick<QueryDeps, 'records'>,
  projectId: number,
  files: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ownership = files.length === 0 ? undefined : await readOwnership(records, projectId)
  if (!ownership?.hasRules) return new Map()
  return new Map(
    [...new Set(files)].map((file) => {
      for (const { rule } of ownership.matches({ files: [[file]], modules: [], url: '', tags: {} }))
        return [file, rule.owners.slice(0, MAX_NAMES)]
      return [file, []]
    }),
  )
}
