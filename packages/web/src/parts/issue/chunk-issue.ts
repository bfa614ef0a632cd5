/**
 * Errors of tabs that could not load code. Grouping makes one issue of them, however many files it were
 * (packages/pipeline/src/group/v1/stacktrace.ts has the same list); this tells it in a list.
 */
const SAID =
  /^(?:Loading (?:CSS )?chunk \S+ failed|Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS for )/i

export const isChunkIssue = ({
  metadata,
}: {
  readonly metadata: Readonly<Record<string, string>>
}): boolean => SAID.test(metadata['value'] ?? '')
