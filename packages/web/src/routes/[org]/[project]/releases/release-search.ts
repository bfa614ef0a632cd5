/** The state of the release list in the address; environment and time have parameters of their own. */
import type { ReleaseOrder } from '@sonde/queries'

const ORDERS = ['version', 'created', 'last'] as const satisfies readonly ReleaseOrder[]

export type ReleaseSearch = {
  readonly query: string
  readonly order: ReleaseOrder
  readonly withArchived: boolean
  /** From 1. */
  readonly page: number
}

export const PAGE_ROWS = 50
const MAX_PAGE = 1_000

/** Invalid parameters are ignored. */
export function readReleaseSearch(params: URLSearchParams): ReleaseSearch {
  return {
    query: (params.get('query') ?? '').trim().slice(0, 200),
    order: ORDERS.find((order) => order === params.get('order')) ?? 'version',
    withArchived: params.get('archived') === '1',
    page: readPage(params.get('page')),
  }
}

export function readPage(text: string | null): number {
  const page = Number(text ?? 1)
  return Number.isInteger(page) && page >= 1 ? Math.min(page, MAX_PAGE) : 1
}

/** The same address with these parameters changed; undefined removes one. Back to the first page unless `page` is set. */
export function withReleaseParams(
  params: URLSearchParams,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const next = new URLSearchParams(params)
  next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '' : `?${text}`
}

/** On the page of one release. */
export const COMMITS_A_PAGE = 20
