/** The filter bar's part of every address: apart from the bar, because all pages build links and few have the bar. */
import type { FilterColumn } from '@sonde/queries'
import { MAX_FILTER_VALUES } from '@sonde/queries/contract'

/** Names of the parameters: the columns of the queries but environment, which the shell has. */
export type FilterId = Exclude<FilterColumn, 'environment'>
// An object, so that a column which is missing does not compile.
const FILTER_ID: Readonly<Record<FilterId, true>> = {
  release: true,
  browser: true,
  os: true,
  device: true,
  country: true,
  connection: true,
}
export const FILTER_IDS = Object.keys(FILTER_ID) as readonly FilterId[]

/** Each value once, in the order of the address. */
export const valuesOf = (params: URLSearchParams, id: FilterId): readonly string[] =>
  [...new Set(params.getAll(id).filter((value) => value !== ''))].slice(0, MAX_FILTER_VALUES)

/** A link to another performance screen with the current filters; its own parameters win. */
export function keepFilters(to: string, present: URLSearchParams): string {
  const [beforeHash = '', ...hash] = to.split('#')
  const [path = '', search = ''] = beforeHash.split('?')
  const next = new URLSearchParams(search)
  for (const id of FILTER_IDS) {
    if (next.has(id)) continue
    for (const value of valuesOf(present, id)) next.append(id, value)
  }
  return [path + queryText(next), ...hash].join('#')
}

export function queryText(params: URLSearchParams): string {
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
