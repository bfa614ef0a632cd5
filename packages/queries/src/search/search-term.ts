import { SondeError } from '@sonde/base'

/** What a person typed into the search field cannot be understood. `at` is a position in UTF-16 units. */
export class SearchError extends SondeError {
  readonly at: number

  constructor(message: string, at: number, hint?: string) {
    super('invalid', message, {
      operation: 'read the search',
      subject: 'query',
      ...(hint === undefined ? {} : { hint }),
    })
    this.name = 'SearchError'
    this.at = at
  }
}

/** A search as data: terms that must all hold. See `parse-search.ts` for the text form. */
export type Search = readonly SearchTerm[]

export type SearchTerm = TextTerm | FilterTerm | HasTerm

export type TextTerm = {
  readonly kind: 'text'
  readonly value: SearchValue
  readonly negated: boolean
  /** Where it starts in the text, in UTF-16 units. */
  readonly at: number
}

export type FilterTerm = {
  readonly kind: 'filter'
  readonly key: SearchKey
  readonly operator: SearchOperator
  /** At least one; any of them may hold. */
  readonly values: readonly SearchValue[]
  readonly negated: boolean
  readonly at: number
}

export type HasTerm = {
  readonly kind: 'has'
  readonly key: SearchKey
  readonly negated: boolean
  readonly at: number
}

/** `isTag`: written as `tags[name]`, so it is a tag even when a field has that name. */
export type SearchKey = { readonly name: string; readonly isTag: boolean }

export type SearchOperator = '=' | '>' | '>=' | '<' | '<='

/** The text between the `*`s: one part is an exact value, more are a pattern. */
export type SearchValue = { readonly parts: readonly string[] }

export const isPattern = (value: SearchValue): boolean => value.parts.length > 1
export const exactText = (value: SearchValue): string => value.parts.join('*')

/** For `LIKE … ESCAPE '\'`, which SQLite, PostgreSQL and ClickHouse understand alike. */
export const likePattern = (value: SearchValue): string => value.parts.map(escapeLike).join('%')
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Times in searches and periods in addresses. */
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const PERIOD = /^(\d{1,6})([smhdw])$/
const RELATIVE = /^([+-])(\d{1,6})([smhdw])$/

/** `24h`, `14d`, `90m` → milliseconds; undefined for anything else. */
export function parsePeriodMs(text: string): number | undefined {
  const match = PERIOD.exec(text)
  return match ? Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0) : undefined
}

type TimeBound = { readonly operator: SearchOperator; readonly ms: number }

/**
 * `-24h`: within the last 24 hours; `+24h`: longer ago; `>2026-01-31`, `<=2026-01-31T10:00:00Z`: UTC unless the text
 * says otherwise. Throws `SearchError`.
 */
export function timeBound(term: FilterTerm, nowMs: number): TimeBound {
  const text = term.values.length === 1 && term.values[0] ? exactText(term.values[0]) : ''
  const relative = RELATIVE.exec(text)
  if (relative && term.operator === '=') {
    const ms = nowMs - Number(relative[2]) * (UNIT_MS[relative[3] ?? ''] ?? 0)
    return { operator: relative[1] === '-' ? '>=' : '<=', ms }
  }
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms) || term.operator === '=') {
    throw new SearchError(
      `"${term.key.name}" needs a time`,
      term.at,
      `For example ${term.key.name}:-24h, ${term.key.name}:+7d or ${term.key.name}:>2026-01-31.`,
    )
  }
  return { operator: term.operator, ms }
}
