/** Filters of SCIM as conditions of a query, with every value bound. */
import { SondeError } from '@sonde/base'
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { ScimFilter, ScimOperator, ScimValue } from './scim-filter.ts'

/**
 * What an attribute is in the query. `exact`: letters in either case are not the same. `constant`: of every resource the same.
 * `present`: it is there or not, and nothing more is asked.
 */
export type FilterColumn =
  | { readonly kind: 'text' | 'exact' | 'time' | 'flag'; readonly column: string }
  | { readonly kind: 'constant'; readonly value: string | boolean }
  | { readonly kind: 'condition'; readonly of: (value: string) => Expression<SqlBool> }
export type FilterColumns = Readonly<Record<string, FilterColumn>>

// oxlint-disable-next-line typescript/no-explicit-any -- of whichever query: columns are named by the table above
type Builder = ExpressionBuilder<any, any>

/** Throws `SondeError` (`invalid`, subject `filter`) for an attribute that cannot be asked for. */
export function filterCondition(
  eb: Builder,
  filter: ScimFilter,
  columns: FilterColumns,
): Expression<SqlBool> {
  switch (filter.kind) {
    case 'and':
      return eb.and(filter.parts.map((part) => filterCondition(eb, part, columns)))
    case 'or':
      return eb.or(filter.parts.map((part) => filterCondition(eb, part, columns)))
    case 'not':
      return eb.not(filterCondition(eb, filter.part, columns))
    case 'present': {
      const found = columnOf(filter.attribute, columns)
      if (found.kind === 'constant') return sql<SqlBool>`1 = 1`
      if (found.kind === 'condition') throw wrong(`"${filter.attribute}" is asked for by eq alone`)
      const column = sql.ref(found.column)
      return found.kind === 'text' || found.kind === 'exact'
        ? sql<SqlBool>`coalesce(${column}, '') <> ''`
        : sql<SqlBool>`${column} is not null`
    }
    default:
      return comparison(filter, columnOf(filter.attribute, columns))
  }
}

function columnOf(attribute: string, columns: FilterColumns): FilterColumn {
  const found = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined
  if (found) return found
  throw wrong(`"${attribute}" cannot be asked for; there are ${Object.keys(columns).join(', ')}`)
}

type Compared = { readonly attribute: string; readonly operator: ScimOperator; readonly value: ScimValue }

function comparison({ attribute, operator, value }: Compared, found: FilterColumn): Expression<SqlBool> {
  if (found.kind === 'condition') {
    if (operator === 'eq' && typeof value === 'string') return found.of(value)
    throw wrong(`"${attribute}" is asked for by eq and a text`)
  }
  if (found.kind === 'constant' || found.kind === 'flag') {
    if (operator !== 'eq' && operator !== 'ne') throw wrong(`"${attribute}" is asked for by eq or ne`)
    // Entra writes booleans as texts.
    const asked = typeof value === 'string' ? value.toLowerCase() : String(value)
    const isAsked = sql<SqlBool>`${found.kind === 'constant' ? sql.val(String(found.value)) : sql`case when ${sql.ref(found.column)} = 1 then 'true' else 'false' end`} = ${asked}`
    return operator === 'eq' ? isAsked : sql<SqlBool>`not (${isAsked})`
  }
  const column = sql.ref(found.column)
  if (found.kind === 'time') {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
    const sign = SIGNS[operator]
    if (Number.isNaN(ms) || sign === undefined) throw wrong(`"${attribute}" is compared with a time in UTC`)
    return sql<SqlBool>`${column} ${sql.raw(sign)} ${ms}`
  }
  if (value === null && (operator === 'eq' || operator === 'ne'))
    return sql<SqlBool>`coalesce(${column}, '') ${sql.raw(SIGNS[operator] ?? '=')} ''`
  if (typeof value !== 'string') throw wrong(`"${attribute}" is compared with a text`)
  const isExact = found.kind === 'exact'
  const left = isExact ? sql`coalesce(${column}, '')` : sql`lower(coalesce(${column}, ''))`
  const right = isExact ? sql`${value}` : sql`lower(${value})`
  const sign = SIGNS[operator]
  if (sign !== undefined) return sql<SqlBool>`${left} ${sql.raw(sign)} ${right}`
  // SQLite's `like` is without case, so an exact attribute is cut out of the column instead.
  const chars = Array.from(value).length
  if (operator === 'sw') return sql<SqlBool>`substr(${left}, 1, ${sql.raw(String(chars))}) = ${right}`
  const escaped = value.replaceAll(/[\\%_]/g, String.raw`\$&`)
  const pattern = operator === 'co' ? `%${escaped}%` : `%${escaped}`
  return sql<SqlBool>`${left} like ${isExact ? sql`${pattern}` : sql`lower(${pattern})`} escape '\\'`
}

const SIGNS: Readonly<Partial<Record<ScimOperator, string>>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
}

const wrong = (message: string): SondeError =>
  new SondeError('invalid', message, { operation: 'read the filter', subject: 'filter' })
