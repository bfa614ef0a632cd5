/** A search typed where only events are looked at: an issue's events, its chart, its tags. */
import type { QueryParams } from '@sonde/stores'
import { parseSearch } from './parse-search.ts'
import { eventColumnOf, type EventTerm, issueFieldOf, refuseOperator, tagColumnOf } from './search-fields.ts'
import {
  escapeLike,
  exactText,
  type FilterTerm,
  isPattern,
  likePattern,
  SearchError,
  type SearchValue,
  type TextTerm,
} from './search-term.ts'

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

/** Search terms about events as a ClickHouse condition; `texts` are looked for in the title. Names come from a literal table, values are bound. */
export type SqlCondition = { readonly sql: string; readonly params: QueryParams }

/** `{ sql: '1' }` for no terms. Parameter names begin with `s`. Throws `SearchError`. */
export function eventConditions(terms: readonly EventTerm[], texts: readonly TextTerm[] = []): SqlCondition {
  const params: Record<string, unknown> = {}
  const bind = (value: string): string => {
    const name = `s${Object.keys(params).length}`
    params[name] = value
    return `{${name}:String}`
  }
  const conditions = terms.map((term) => {
    const column = eventColumnOf(term.key) ?? tagColumnOf(term.key) ?? `tags[${bind(term.key.name)}]`
    if (term.kind === 'has') return term.negated ? `${column} = ''` : `${column} != ''`
    refuseOperator(term)
    const anyOf = term.values.map((value) => matches(column, value, bind)).join(' OR ')
    return term.negated ? `NOT (${anyOf})` : `(${anyOf})`
  })
  for (const { value, negated } of texts) {
    const pattern = isPattern(value) ? likePattern(value) : `%${escapeLike(exactText(value))}%`
    conditions.push(`title ${negated ? 'NOT ILIKE' : 'ILIKE'} ${bind(pattern)}`)
  }
  return { sql: conditions.join(' AND ') || '1', params }
}

/** Exact values are compared as they are (indexes help); patterns ignore case, as people expect of a search. */
function matches(column: string, value: SearchValue, bind: (value: string) => string): string {
  return isPattern(value)
    ? `${column} ILIKE ${bind(likePattern(value))}`
    : `${column} = ${bind(exactText(value))}`
}

type Span = { readonly sinceMs: number | undefined; readonly untilMs: number | undefined }

/** Events of a span as a ClickHouse condition that stands behind AND; parameters `since` and `until`. */
export function timeCondition({ sinceMs, untilMs }: Span): {
  readonly sql: string
  readonly params: QueryParams
} {
  return {
    sql: [
      '1',
      ...(sinceMs === undefined ? [] : ['timestamp >= {since:DateTime64(3)}']),
      ...(untilMs === undefined ? [] : ['timestamp < {until:DateTime64(3)}']),
    ].join(' AND '),
    params: {
      ...(sinceMs === undefined ? {} : { since: sinceMs }),
      ...(untilMs === undefined ? {} : { until: untilMs }),
    },
  }
}
