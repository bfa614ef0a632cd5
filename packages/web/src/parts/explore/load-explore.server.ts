/** Explore over one project or all of an organization: a table, and the same over time; or single spans. */
import { type Grant, mayAlso } from '@sonde/access'
import {
  ExploreError,
  type ExploreInput,
  exploreSeries,
  exploreSpans,
  isMeasure,
  SearchError,
  spanSuggestions,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { filterChoices, isFiltered, performanceFilterOf } from '../filter-bar/filter-of.server.ts'
import { PAGE_ROWS, readExploreSearch, sortOf } from './explore-search.ts'

/** Lines in the table beside their rows; more are not compared by eye. */
const TRENDS = 10
const SPAN_FIELDS = ['timestamp', 'op', 'name', 'duration', 'transaction', 'status', 'trace', 'id']

export type ExploreRefusal = { readonly message: string; readonly hint?: string; readonly at: number }
type Args = Pick<LoadArgs<AppContext>, 'context' | 'url'>

export async function loadExplore({ context, url }: Args, grant: Grant<'event:read', 'org' | 'project'>) {
  const { queries, clock } = context
  const params = url.searchParams
  const nowMs = clock.nowMs()
  const search = readExploreSearch(params)
  const choices = await filterChoices(queries, grant, { params, nowMs, source: 'spans' })
  const common = {
    search,
    choices,
    mayAlert: mayAlso(grant, 'alert:write'),
    isNarrowed: isFiltered(params) || search.query !== '',
  }
  try {
    const filter = { ...performanceFilterOf(params, nowMs), query: search.query }
    return { ...common, ...(await shown({ queries, grant, filter, search })) }
  } catch (error) {
    return { ...common, refusal: refusalOf(error, search.query) }
  }
}

type Requested = {
  readonly queries: AppContext['queries']
  readonly grant: Grant<'event:read', 'org' | 'project'>
  readonly filter: Omit<ExploreInput, 'fields'>
  readonly search: ReturnType<typeof readExploreSearch>
}

async function shown({ queries, grant, filter, search }: Requested) {
  const page = { limit: PAGE_ROWS, offset: (search.page - 1) * PAGE_ROWS }
  const over = (groups: readonly (readonly string[])[]) =>
    exploreSeries(queries, grant, {
      ...filter,
      measure: measureOf(search),
      groupBy: search.groupBy,
      groups,
    })
  if (search.view === 'spans') {
    const fields = [...SPAN_FIELDS, ...('projectId' in grant ? [] : ['project']), ...search.groupBy]
    const [table, series] = await Promise.all([
      exploreSpans(queries, grant, { ...filter, ...page, fields, ...spanSort(search.sort, fields) }),
      over([]),
    ])
    return { table, series }
  }
  const fields = [...search.groupBy, ...search.measures]
  const sort = sortOf(search)
  const isKnown = fields.includes(sort.field)
  const table = await exploreSpans(queries, grant, {
    ...filter,
    ...page,
    fields,
    ...(isKnown ? { sort: `${sort.isDescending ? '-' : ''}${sort.field}` } : {}),
  })
  const count = search.groupBy.length
  const keys = table.rows.slice(0, TRENDS).map((row) => row.slice(0, count).map(keyText))
  return { table, series: await over(count === 0 ? [] : keys) }
}

/** The one that the table is sorted by, if it is one, else the first. */
function measureOf(search: Requested['search']): string {
  const { field } = sortOf(search)
  return isMeasure(field) && search.measures.includes(field) ? field : (search.measures[0] ?? 'count()')
}

const spanSort = (sort: string, fields: readonly string[]): { sort?: string } =>
  fields.includes(sort.replace(/^-/, '')) ? { sort } : {}

const keyText = (value: string | number | boolean | null): string =>
  typeof value === 'boolean' ? (value ? '1' : '0') : String(value ?? '')

export function refusalOf(error: unknown, query: string): ExploreRefusal {
  if (!(error instanceof SearchError) && !(error instanceof ExploreError)) throw error
  const { message, hint } = error
  const at = error instanceof SearchError ? error.at : query.length
  return { message, at, ...(hint === undefined ? {} : { hint }) }
}

/** Answers the search field: what to offer at its cursor, as JSON. */
export async function answerSpanSuggestions(
  { context, url }: Args,
  grant: Grant<'event:read', 'org' | 'project'>,
  subject?: Parameters<typeof spanSuggestions>[3],
): Promise<Response> {
  const params = url.searchParams
  const headers = { 'cache-control': 'private, no-store' }
  const text = params.get('text') ?? ''
  const cursor = Number(params.get('cursor') ?? text.length)
  try {
    const found = await spanSuggestions(
      context.queries,
      grant,
      {
        ...performanceFilterOf(params, context.clock.nowMs()),
        text,
        cursor: Number.isSafeInteger(cursor) ? cursor : text.length,
        // Fields to group by are chosen from a long list, a search from a short one.
        limit: params.has('all') ? 200 : 12,
      },
      subject,
    )
    return Response.json(found, { headers })
  } catch (error) {
    return Response.json(refusalOf(error, text), { status: 400, headers })
  }
}
