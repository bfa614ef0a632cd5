/** Page data as react-router wants it: a result for each matched route. The same on both sides. */
import type { DataStrategyResult } from 'react-router'
import type { PageData, PageError, PageMeta } from './page-data.ts'
import { BOUNDARY_ID, ROOT_ID } from './route-objects.ts'

/** What the fall-back or not-found page is shown for; travels through react-router as an error. */
export type RouteProblem = PageError & { readonly isRouteProblem: true }

export function toProblem(error: PageError): RouteProblem {
  return { ...error, isRouteProblem: true }
}

export function isRouteProblem(value: unknown): value is RouteProblem {
  return typeof value === 'object' && value !== null && 'isRouteProblem' in value
}

export function metaOf(page: PageData): PageMeta {
  const { build: _build, data: _data, reduced: _reduced, leave: _leave, ...meta } = page
  return meta
}

export function resultsOf(page: PageData, routeIds: readonly string[]): Record<string, DataStrategyResult> {
  const root: DataStrategyResult = { type: 'data', result: metaOf(page) }
  if (page.error) {
    return { [ROOT_ID]: root, [BOUNDARY_ID]: { type: 'error', result: toProblem(page.error) } }
  }
  const rest = routeIds.map((id): [string, DataStrategyResult] => [
    id,
    { type: 'data', result: page.data[id] ?? null },
  ])
  return { ...Object.fromEntries(rest), [ROOT_ID]: root }
}

/** The first page's data for `createBrowserRouter`: nothing is fetched again. */
export function hydrationOf(
  page: PageData,
  routeIds: readonly string[],
): { loaderData: Record<string, unknown>; errors?: Record<string, unknown> } {
  const results = Object.entries(resultsOf(page, routeIds))
  const pick = (type: DataStrategyResult['type']): Record<string, unknown> =>
    Object.fromEntries(results.filter(([, r]) => r.type === type).map(([id, r]) => [id, r.result]))
  return { loaderData: pick('data'), ...(page.error ? { errors: pick('error') } : {}) }
}
