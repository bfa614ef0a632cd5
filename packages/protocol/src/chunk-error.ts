/**
 * How Chromium, Firefox, Safari, webpack and Vite say that a file of the application could not be loaded, mostly because
 * a deploy removed it. Grouping version 1 (packages/pipeline/src/group/v1/stacktrace.ts) has its own list, which is frozen.
 */

/** Anywhere in a text, in any case. ClickHouse takes the same pattern after `(?i)`. */
export const CHUNK_ERROR_PATTERN =
  'dynamically imported module|importing a module script failed|loading (css )?chunk \\S+ failed|unable to preload css'

/** A message that says nothing else: what grouping makes one issue of, however many files it were. */
export const CHUNK_ERROR_MESSAGE =
  /^(?:Loading (?:CSS )?chunk \S+ failed|Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS for )/i
