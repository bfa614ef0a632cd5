/** Values for the search field, most frequent first. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { eventColumnOf } from '../search/search-fields.ts'
import { escapeLike, type SearchKey } from '../search/search-term.ts'
import { eventSample } from './event-sample.ts'
import { FIXED_VALUES } from './fixed-values.ts'
import { recordValues } from './record-values.ts'
import { containing, readWithin, type SuggestWithin } from './suggest-within.ts'

export type SuggestedValue = {
  readonly value: string
  /** Events of the period with it (by a sample where there are many); undefined where nothing was counted. */
  readonly count: number | undefined
  /** One line for values that do not speak for themselves. */
  readonly description: string | undefined
  /** First and newest of the events counted. */
  readonly seen: { readonly firstMs: number; readonly lastMs: number } | undefined
}

/** Columns with few different values, a byte or two a row: read as they are up to a million rows (about 15 ms). */
const NARROW: ReadonlySet<string> = new Set([
  'release',
  'environment',
  'dist',
  'transaction',
  'error.type',
  'platform',
  'platform.name',
  'event.type',
  'sdk.name',
  'sdk.version',
])
/** Only in the payload, or different for each event: nothing worth offering, and dear to read. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['user.email', 'user.username', 'user.ip', 'trace', 'id'])
const MAX_NARROW_ROWS = 1_000_000
/** A tag's value or an address: about 1 ms a thousand. */
const MAX_WIDE_ROWS = 40_000

/**
 * `key` as typed, `{ isTag: true }` for `tags[…]`. Values that contain `prefix` in any case; those that begin with
 * it first. Unknown keys are tags. Throws `SearchError` for a period that is none.
 */
export async function suggestValues(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  key: string | SearchKey,
  prefix: string,
  within: SuggestWithin = {},
): Promise<readonly SuggestedValue[]> {
  const asked = typeof key === 'string' ? { name: key, isTag: false } : key
  const { projectIds, sinceMs, limit } = await readWithin(deps, grant, within)
  const fixed = asked.isTag ? undefined : FIXED_VALUES.get(asked.name)
  if (fixed) {
    const rows = fixed.map((row) => ({ ...row, count: undefined, seen: undefined }))
    return containing(rows, prefix, ({ value }) => value).slice(0, limit)
  }
  if (projectIds.length === 0 || (!asked.isTag && NOT_OFFERED.has(asked.name))) return []
  const ofRecords = asked.isTag ? undefined : await recordValues(deps, projectIds, asked.name, prefix, limit)
  return ofRecords ?? eventValues(deps, asked, prefix, { projectIds, sinceMs, limit })
}

async function eventValues(
  deps: QueryDeps,
  key: SearchKey,
  prefix: string,
  { projectIds, sinceMs, limit }: Awaited<ReturnType<typeof readWithin>>,
): Promise<readonly SuggestedValue[]> {
  const maxRows = !key.isTag && NARROW.has(key.name) ? MAX_NARROW_ROWS : MAX_WIDE_ROWS
  const column = columnOf(key)
  const sample = await eventSample(deps, { projectIds, sinceMs, maxRows })
  const contains = prefix === '' ? '' : 'AND value ILIKE {contains:String}'
  const rows = await deps.telemetry.query<{ value: string; count: number; firstMs: number; lastMs: number }>(
    `SELECT ${column} AS value, count() AS count, toUnixTimestamp64Milli(min(timestamp)) AS firstMs,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs
     FROM events
     WHERE ${sample.sql} AND value != '' ${contains}
     GROUP BY value ORDER BY startsWith(lower(value), lower({prefix:String})) DESC, count DESC, value
     LIMIT {limit:UInt32}`,
    { ...sample.params, name: key.name, prefix, contains: `%${escapeLike(prefix)}%`, limit },
  )
  return rows.map(({ value, count, ...seen }) => ({
    value,
    count: count * sample.step,
    description: undefined,
    seen,
  }))
}

/** What `firstRelease` may be is what releases there are. */
const columnOf = (key: SearchKey): string =>
  key.name === 'firstRelease' && !key.isTag ? 'release' : (eventColumnOf(key) ?? 'tags[{name:String}]')
