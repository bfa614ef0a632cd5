/** The state of the transaction list in the address; environment, time and filters have parameters of their own. */
import type { Compared } from '@sonde/queries'
import { TRANSACTION_SORTS, type TransactionSort } from '@sonde/queries/contract'
import { addressText, changeRange } from '../../shell/time-range.ts'
import { queryText } from '../filter-bar/filter-state.ts'

/** `change` is ordered by what is certain of it: packages/queries/src/performance/change-interval.ts. */
export type ListSort = TransactionSort | 'perMinute' | 'change'
export type Order = 'asc' | 'desc'

const SORTS = [...TRANSACTION_SORTS, 'perMinute', 'change'] as const satisfies readonly ListSort[]
/** Measures of the change column. */
export const MEASURES = [
  { id: 'p50', name: 'p50' },
  { id: 'p75', name: 'p75' },
  { id: 'p95', name: 'p95' },
  { id: 'failureRate', name: 'failures' },
] as const satisfies readonly { readonly id: Compared; readonly name: string }[]

export type TransactionSearch = {
  /** Undefined: of any kind. */
  readonly op: string | undefined
  readonly query: string
  readonly sort: ListSort
  readonly order: Order
  readonly measure: Compared
  /** From 1. */
  readonly page: number
}

export const PAGE_ROWS = 100
const MAX_PAGE = 1000

/** Invalid parameters are ignored. */
export function readTransactionSearch(params: URLSearchParams): TransactionSearch {
  const sort = SORTS.find((each) => each === params.get('sort')) ?? 'count'
  const order = (['asc', 'desc'] as const).find((each) => each === params.get('order')) ?? usualOrder(sort)
  const page = Number(params.get('page') ?? 1)
  return {
    op: params.get('op') ?? undefined,
    query: (params.get('query') ?? '').trim().slice(0, 200),
    sort,
    order,
    measure: MEASURES.find(({ id }) => id === params.get('compare'))?.id ?? 'p75',
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, MAX_PAGE) : 1,
  }
}

/** Names from A, numbers from the greatest. */
const usualOrder = (sort: ListSort): Order => (sort === 'name' ? 'asc' : 'desc')

/** A click on a column heading: sorts by it, or reverses the order. Back to the first page. */
export function sortedBy(params: URLSearchParams, sort: ListSort): string {
  const present = readTransactionSearch(params)
  const order = present.sort !== sort ? usualOrder(sort) : present.order === 'asc' ? 'desc' : 'asc'
  return withParams(params, { sort, order: order === usualOrder(sort) ? undefined : order })
}

/** The same address with these parameters changed; undefined removes one. Back to the first page unless `page` is set. */
export function withParams(
  params: URLSearchParams,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const next = new URLSearchParams(params)
  next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return queryText(next)
}

/** The address after a brush over a chart. */
export function zoomedTo(
  params: URLSearchParams,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): string {
  const next = new URLSearchParams(params)
  next.delete('page')
  return changeRange(next, { range: { start: addressText(fromMs), end: addressText(toMs) } })
}
