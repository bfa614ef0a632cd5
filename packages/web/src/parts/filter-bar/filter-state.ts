/**
 * The filters of the performance screens beside environment and time (which the shell has): any number of values of each
 * column, in the address under the column's name. Pure, for server and browser.
 */
import { FILTER_IDS, type FilterId, queryText, valuesOf } from './filter-address.ts'

export { type FilterId, keepFilters, queryText, valuesOf } from './filter-address.ts'

export const FILTERS = [
  { id: 'release', name: 'Release', many: 'releases' },
  { id: 'browser', name: 'Browser', many: 'browsers' },
  { id: 'os', name: 'OS', many: 'operating systems' },
  { id: 'device', name: 'Device', many: 'devices' },
  { id: 'country', name: 'Country', many: 'countries' },
  { id: 'connection', name: 'Connection', many: 'connections' },
] as const satisfies readonly {
  readonly id: FilterId
  readonly name: string
  readonly many: string
}[]
export type Filter = (typeof FILTERS)[number]

/** The name within a sentence. */
export const nameInText = ({ id, name }: Filter): string => (id === 'os' ? name : name.toLowerCase())

/** Which column's values are listed in the page itself, for readers without JavaScript. */
export const CHOOSE = 'choose'
/** The place in a list: another list starts at its first page. */
const PLACES = ['cursor', 'page', CHOOSE] as const

export const filterById = (id: string | null): Filter | undefined => FILTERS.find((each) => each.id === id)

export type Chosen = { readonly filter: Filter; readonly value: string }

/** By column in the bar's order, whether or not anything has that value. */
export const chosenOf = (params: URLSearchParams): readonly Chosen[] =>
  FILTERS.flatMap((filter) => valuesOf(params, filter.id).map((value) => ({ filter, value })))

/** The query of the same screen with other values of one column, from its first page on. */
export function withValues(params: URLSearchParams, id: FilterId, values: readonly string[]): string {
  const next = new URLSearchParams(params)
  for (const name of [...PLACES, id]) next.delete(name)
  for (const value of new Set(values)) if (value !== '') next.append(id, value)
  return queryText(next)
}

export function toggledValue(params: URLSearchParams, id: FilterId, value: string): string {
  const values = valuesOf(params, id)
  const others = values.filter((other) => other !== value)
  return withValues(params, id, others.length === values.length ? [...values, value] : others)
}

/** Without any value of any column; environment and time stay. */
export function withoutFilters(params: URLSearchParams): string {
  const next = new URLSearchParams(params)
  for (const name of [...PLACES, ...FILTER_IDS]) next.delete(name)
  return queryText(next)
}
