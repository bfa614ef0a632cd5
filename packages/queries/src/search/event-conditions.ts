/** Search terms about events as a ClickHouse condition; `texts` are looked for in the title. Names come from a literal table, values are bound. */
import type { QueryParams } from '@sonde/stores'
import { type EventTerm, eventColumnOf, refuseOperator, tagColumnOf } from './search-fields.ts'
import {
  escapeLike,
  exactText,
  isPattern,
  likePattern,
  type SearchValue,
  type TextTerm,
} from './search-term.ts'

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
