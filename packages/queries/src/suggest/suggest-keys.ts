/** Names for the search field: fields that it knows, and the tags that events really carry. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { KNOWN_KEYS, type KnownKey, tagDescription } from './known-keys.ts'
import { containing, eventSample, readWithin, type SuggestWithin } from './suggest-within.ts'
import { eventColumnOf, issueFieldOf } from '../search/search-fields.ts'

// Keys and values as text that the search reads back as exactly these.

/** Undefined for the few names that no form of the grammar can hold. A tag with a field's name becomes `tags[…]`. */
export function keyText(name: string, isTag: boolean): string | undefined {
  const isField =
    issueFieldOf({ name, isTag: false }) !== undefined || eventColumnOf({ name, isTag: false }) !== undefined
  if ((!isTag || (!isField && name !== 'has')) && /^[A-Za-z0-9_.-]+$/.test(name)) return name
  return /^[^\]"\n]{1,200}$/.test(name) ? `tags[${name}]` : undefined
}

/** In quotes when it has to be; `*`, `"` and `\` lose their meaning. */
export const valueText = (value: string): string =>
  /^[A-Za-z0-9_@+-][A-Za-z0-9_@/+.:()=-]*$/.test(value) ? value : `"${value.replace(/[\\"*]/g, '\\$&')}"`

export type SuggestedKey = KnownKey & {
  /** Events of the period that carry the tag, by a sample where there are many; undefined for fields. */
  readonly count: number | undefined
}

/** Keys are narrow (a number a key): a hundred thousand rows take about 30 ms. */
const MAX_ROWS = 100_000
/** An application that invents keys must not fill the answer. */
const MAX_TAG_KEYS = 200

/** Fields first, in their own order, then tags by frequency. `prefix` may be empty. Throws `SearchError`. */
export async function suggestKeys(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  prefix: string,
  within: SuggestWithin = {},
): Promise<readonly SuggestedKey[]> {
  const { limit } = await readWithin(deps, grant, within)
  const fields = KNOWN_KEYS.map((known): SuggestedKey => ({ ...known, count: undefined }))
  const names = new Set(fields.map(({ key }) => key))
  const tags = (await tagKeys(deps, grant, within))
    .filter(({ key }) => !names.has(key))
    .map(({ key, count }): SuggestedKey => ({
      key,
      count,
      kind: 'tag',
      description: tagDescription(key),
    }))
  return containing([...fields, ...tags], prefix, ({ key }) => key).slice(0, limit)
}

export type TagKey = { readonly key: string; readonly count: number }

/** Every tag of the period's events, most frequent first, at most 200. Reads a sample (`event-sample.ts`). */
export async function tagKeys(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  within: SuggestWithin = {},
): Promise<readonly TagKey[]> {
  const { projectIds, sinceMs } = await readWithin(deps, grant, within)
  if (projectIds.length === 0) return []
  const sample = await eventSample(deps, { projectIds, sinceMs, maxRows: MAX_ROWS })
  const rows = await deps.telemetry.query<TagKey>(
    `SELECT arrayJoin(mapKeys(tags)) AS key, count() AS count FROM events WHERE ${sample.sql}
     GROUP BY key ORDER BY count DESC, key LIMIT {limit:UInt32}`,
    { ...sample.params, limit: MAX_TAG_KEYS },
  )
  return rows.map(({ key, count }) => ({ key, count: count * sample.step }))
}
