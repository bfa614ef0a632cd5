/** Answers the search field: what to offer at its cursor, as JSON. */
import type { Grant } from '@sonde/access'
import { searchSuggestions } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { readListSearch } from './list-search.ts'
import { refusalOf } from './load-list.server.ts'

const SHOWN = 12

export async function answerSuggestions(
  { context, url }: Pick<LoadArgs<AppContext>, 'context' | 'url'>,
  grant: Grant<'event:read', 'org' | 'project'>,
): Promise<Response> {
  const { statsPeriod } = readListSearch(url.searchParams)
  const text = url.searchParams.get('text') ?? ''
  const cursor = Number(url.searchParams.get('cursor') ?? text.length)
  try {
    const found = await searchSuggestions(context.queries, grant, {
      text,
      cursor: Number.isSafeInteger(cursor) ? cursor : text.length,
      limit: SHOWN,
      ...(statsPeriod === '' ? {} : { statsPeriod }),
    })
    return Response.json(found, { headers: { 'cache-control': 'private, no-store' } })
  } catch (error) {
    return Response.json(refusalOf(error), { status: 400, headers: { 'cache-control': 'no-store' } })
  }
}
