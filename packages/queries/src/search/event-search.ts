/** A search typed where only events are looked at: an issue's events, its chart, its tags. */
import { type SqlCondition, eventConditions } from './event-conditions.ts'
import { parseSearch } from './parse-search.ts'
import { SearchError } from './search-error.ts'
import { eventColumnOf, issueFieldOf } from './search-fields.ts'
import type { FilterTerm } from './search-term.ts'

export type EventFilter = {
  readonly query?: string | undefined
  /** Only events of these. */
  readonly environments?: readonly string[] | undefined
}

/**
 * Text is looked for in the title; a field that only issues have (`is`, `timesSeen`, …) throws `SearchError`.
 * Parameter names begin with `s`.
 */
export function eventSearch({ query = '', environments }: EventFilter): SqlCondition {
  const search = parseSearch(query)
  const texts = search.filter((term) => term.kind === 'text')
  const terms = search.filter((term) => term.kind !== 'text')
  for (const { key, at } of terms) {
    if (issueFieldOf(key) === undefined || eventColumnOf(key) !== undefined) continue
    throw new SearchError(`"${key.name}" is a field of issues, not of events`, at)
  }
  return eventConditions([...terms, ...environmentTerms(environments)], texts)
}

/** None or one term: any of these environments. */
export const environmentTerms = (environments: readonly string[] = []): readonly FilterTerm[] =>
  environments.length === 0
    ? []
    : [
        {
          kind: 'filter',
          key: { name: 'environment', isTag: false },
          operator: '=',
          values: environments.map((name) => ({ parts: [name] })),
          negated: false,
          at: 0,
        },
      ]
