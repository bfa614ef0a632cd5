/**
 * A search over spans, or over lines of logs, as a condition of the engine. The grammar is that of the search for issues
 * (`parse-search.ts`); here text is looked for in the span's name or the line, numbers may have units, and `status:error` is every failure.
 */
import type { Grant } from '@sonde/access'
import { inProjects } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { parseSearch } from '../search/parse-search.ts'
import { refuseOperator } from '../search/search-fields.ts'
import {
  escapeLike,
  exactText,
  type FilterTerm,
  type HasTerm,
  isPattern,
  likePattern,
  SearchError,
  type SearchTerm,
  type SearchValue,
  type TextTerm,
  timeBound,
} from '../search/search-term.ts'
import type { Bind } from './bounded-query.ts'
import { attributeNumber, attributeText, type SpanField, spanFieldOf } from './span-fields.ts'
import { FAILED } from './span-measures.ts'

type Deps = Pick<QueryDeps, 'records' | 'clock'>

/** What is searched: its fields by name, and where text is looked for. */
export type SearchSubject = {
  readonly fieldOf: (name: string, isTag?: boolean) => SpanField | undefined
  /** `pattern`: for `LIKE`. */
  readonly textCondition: (pattern: string, bind: Bind) => string
}

export const SPANS: SearchSubject = {
  fieldOf: spanFieldOf,
  textCondition: (pattern, bind) => `name ILIKE ${bind(pattern)}`,
}

/** `1` for an empty search. Throws `SearchError`. */
export async function spanConditions(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  query: string,
  bind: Bind,
  subject: SearchSubject = SPANS,
): Promise<string> {
  const terms = parseSearch(query)
  const conditions: string[] = []
  for (const term of terms) {
    const positive = await positiveCondition(deps, grant, term, bind, subject)
    conditions.push(term.negated ? `NOT (${positive})` : `(${positive})`)
  }
  return conditions.join(' AND ') || '1'
}

async function positiveCondition(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  term: SearchTerm,
  bind: Bind,
  { fieldOf, textCondition }: SearchSubject,
): Promise<string> {
  if (term.kind === 'text') return textCondition(containing(term), bind)
  if (!term.key.isTag && /^project(?:\.name)?$/.test(term.key.name) && term.kind === 'filter')
    return projectCondition(deps, grant, term, bind)
  const field = fieldOf(term.key.name, term.key.isTag)
  if (term.kind === 'has') return hasCondition(term, field, bind)
  return field ? fieldCondition(deps, term, field, bind) : attributeCondition(term, bind)
}

const containing = ({ value }: TextTerm): string =>
  isPattern(value) ? likePattern(value) : `%${escapeLike(exactText(value))}%`

function hasCondition({ key }: HasTerm, field: SpanField | undefined, bind: Bind): string {
  if (!field) return `mapContains(strings, ${bind(key.name)}) OR ${attributeNumber(key.name, bind).has}`
  if (field.kind === 'list') return `notEmpty(${field.sql})`
  return field.kind === 'text' ? `${field.sql} != ''` : '1'
}

function fieldCondition({ clock }: Deps, term: FilterTerm, field: SpanField, bind: Bind): string {
  if (field.kind === 'time') {
    const { operator, ms } = timeBound(term, clock.nowMs())
    return `${field.sql} ${operator} ${bind(ms, 'DateTime64(3)')}`
  }
  if (field.kind === 'duration' || field.kind === 'number') {
    const read = field.kind === 'duration' ? durationMs : numberOf
    return anyOf(term, (value) => `${field.sql} ${term.operator} ${bind(read(term, value), 'Float64')}`)
  }
  refuseOperator(term)
  if (field.kind === 'flag') return anyOf(term, (value) => `${field.sql} = ${flagOf(term, value)}`)
  if (field.kind === 'list')
    return anyOf(term, (value) =>
      isPattern(value)
        ? `arrayExists(each -> each ILIKE ${bind(likePattern(value))}, ${field.sql})`
        : `has(${field.sql}, ${bind(exactText(value))})`,
    )
  return anyOf(term, (value) =>
    field.sql === 'status' && exactText(value) === 'error' ? FAILED : textMatches(field.sql, value, bind),
  )
}

/** Text and number alike: `http.status_code:200` finds either, `>400` only numbers. */
function attributeCondition(term: FilterTerm, bind: Bind): string {
  const { name } = term.key
  const number = attributeNumber(name, bind)
  if (term.operator !== '=')
    return anyOf(
      term,
      (value) =>
        `${number.has} AND ${number.sql} ${term.operator} ${bind(durationOrNumber(term, value), 'Float64')}`,
    )
  return anyOf(term, (value) => {
    if (isPattern(value)) return textMatches(attributeText(name, bind), value, bind)
    const text = `strings[${bind(name)}] = ${bind(exactText(value))}`
    const given = Number(exactText(value))
    if (exactText(value).trim() === '' || !Number.isFinite(given)) return text
    return `${text} OR (${number.has} AND ${number.sql} = ${bind(given, 'Float64')})`
  })
}

async function projectCondition(
  { records }: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  term: FilterTerm,
  bind: Bind,
): Promise<string> {
  refuseOperator(term)
  const rows = await records
    .selectFrom('project')
    .select('id')
    .where(inProjects(grant))
    .where('slug', 'in', term.values.map(exactText))
    .execute()
  return `project_id IN ${bind(
    rows.map(({ id }) => id),
    'Array(UInt32)',
  )}`
}

const anyOf = (term: FilterTerm, condition: (value: SearchValue) => string): string =>
  term.values.map((value) => `(${condition(value)})`).join(' OR ')

/** Exact values as they are (the key and indexes help); patterns ignore case. */
const textMatches = (sql: string, value: SearchValue, bind: Bind): string =>
  isPattern(value) ? `${sql} ILIKE ${bind(likePattern(value))}` : `${sql} = ${bind(exactText(value))}`

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])
const QUANTITY = /^(-?\d{1,15}(?:\.\d{1,9})?)([a-zµ]{0,3})$/

function durationMs(term: FilterTerm, value: SearchValue): number {
  const [, number = '', unit = ''] = QUANTITY.exec(exactText(value)) ?? []
  const factor = UNIT_MS.get(unit)
  if (number === '' || factor === undefined)
    throw new SearchError(
      `"${term.key.name}" needs a duration`,
      term.at,
      `For example ${term.key.name}:>500ms or ${term.key.name}:<=1.5s.`,
    )
  return Number(number) * factor
}

const durationOrNumber = (term: FilterTerm, value: SearchValue): number =>
  /[a-zµ]$/.test(exactText(value)) ? durationMs(term, value) : numberOf(term, value)

function numberOf(term: FilterTerm, value: SearchValue): number {
  const text = exactText(value)
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number))
    throw new SearchError(`"${term.key.name}" needs a number`, term.at, `For example ${term.key.name}:>=400.`)
  return number
}

function flagOf(term: FilterTerm, value: SearchValue): 0 | 1 {
  const text = exactText(value).toLowerCase()
  if (/^(?:true|1|yes)$/.test(text)) return 1
  if (/^(?:false|0|no)$/.test(text)) return 0
  throw new SearchError(`"${term.key.name}" is true or false`, term.at)
}
