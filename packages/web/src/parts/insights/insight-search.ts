/** The state of an insight page in the address; environment, time and filters have parameters of their own. */
import {
  ASSET_OWNERS,
  ASSET_TYPES,
  type AssetOwner,
  type AssetType,
  INSIGHT_KINDS,
  type InsightKind,
  type InsightKindId,
  type InsightMeasure,
} from '@sonde/queries/contract'
import { termFor } from '../explore/term-for.ts'
import { withParams } from '../performance/transaction-search.ts'

export type InsightSort = InsightMeasure | 'name'
export type InsightSearch = {
  /** Text within the name. */
  readonly query: string
  /** Text within the name of the transaction. */
  readonly route: string
  /** Undefined: of any system. */
  readonly peer: string | undefined
  readonly type: AssetType | undefined
  readonly owner: AssetOwner | undefined
  readonly sort: InsightSort
  readonly order: 'asc' | 'desc'
  /** From 1. */
  readonly page: number
}

export const INSIGHT_ROWS = 50
const MAX_PAGE = 1000
const MAX_TEXT = 200

/** Invalid parameters are ignored. */
export function readInsightSearch(params: URLSearchParams, kind: InsightKindId): InsightSearch {
  const { measures, sort: usual }: InsightKind = INSIGHT_KINDS[kind]
  const sort = [...measures, 'name' as const].find((each) => each === params.get('sort')) ?? usual
  const order = (['asc', 'desc'] as const).find((each) => each === params.get('order')) ?? usualOrder(sort)
  const page = Number(params.get('page') ?? 1)
  const text = (name: string): string => (params.get(name) ?? '').trim().slice(0, MAX_TEXT)
  return {
    query: text('query'),
    route: text('route'),
    peer: text('peer') || undefined,
    type: ASSET_TYPES.find((each) => each === params.get('type')),
    owner: ASSET_OWNERS.find((each) => each === params.get('owner')),
    sort,
    order,
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, MAX_PAGE) : 1,
  }
}

const usualOrder = (sort: InsightSort): 'asc' | 'desc' => (sort === 'name' ? 'asc' : 'desc')

/** A click on a column heading: sorts by it, or reverses the order. Back to the first page. */
export function insightSortedBy(params: URLSearchParams, kind: InsightKindId, sort: InsightSort): string {
  const present = readInsightSearch(params, kind)
  const order = present.sort !== sort ? usualOrder(sort) : present.order === 'asc' ? 'desc' : 'asc'
  return withParams(params, { sort, order: order === usualOrder(sort) ? undefined : order })
}

/** What the search form and the chips narrow to, beside the filter bar. */
export const INSIGHT_PARAMS = ['query', 'route', 'peer', 'type', 'owner'] as const

/** Spans of a kind as a search of Explore: the same rows. */
const OPS: Readonly<Record<InsightKindId, string>> = {
  queries: 'op:db*',
  requests: 'op:http.client*',
  assets: 'op:resource.*',
  caches: 'op:cache.*',
  queues: 'op:[queue.publish, queue.process]',
}

/** `name`: one row of the page; undefined: all of them. */
export function exploreQuery(
  kind: InsightKindId,
  name: string | undefined,
  { route, peer }: Pick<InsightSearch, 'route' | 'peer'>,
): string {
  const terms = [
    OPS[kind],
    name !== undefined && termFor(kind === 'requests' ? 'span.peer' : 'normalized_name', name),
    peer !== undefined && termFor('span.peer', peer),
    route !== '' && `transaction:"*${route.replace(/[\\"*]/g, String.raw`\$&`)}*"`,
  ]
  return terms.filter((term) => term !== false).join(' ')
}
