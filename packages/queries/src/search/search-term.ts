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
