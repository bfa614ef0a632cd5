/** One query, host, asset, key or queue: its measures and changes, over time, by route, slowest spans, issues. */
import { mayAlso } from '@sonde/access'
import {
  insightChanges,
  insightFirst,
  insightRows,
  insightSamples,
  insightSeries,
  insightSplits,
  missCost,
  queryIssues,
} from '@sonde/queries'
import { INSIGHT_KINDS, type InsightKind, insightKindOf } from '@sonde/queries/contract'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { filterChoices, performanceFilterOf } from '../../../../../../parts/filter-bar/filter-of.server.ts'
import { readInsightSearch } from '../../../../../../parts/insights/insight-search.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'

/** Each costs a sketch's levels: those that are shown. */
const PERCENTILES = ['p50', 'p75', 'p95'] as const

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'kind'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const kind = insightKindOf(args.params.kind)
  const { searchParams: params } = args.url
  const name = params.get('name')
  // Without a name there is no page; a name without data in this time range has one.
  if (kind === undefined || name === null) return notFound()
  const nowMs = clock.nowMs()
  const { route, peer } = readInsightSearch(params, kind)
  const filter = { ...performanceFilterOf(params, nowMs), kind, route, peer }
  const input = { ...filter, name }
  const { splits, measures, hasIssues }: InsightKind = INSIGHT_KINDS[kind]
  const [found, [compared], series, samples, first, issues, cost, choices, split] = await Promise.all([
    // The share of time is that of all rows: it is left to the list.
    insightRows(queries, grant, { ...input, limit: 1 }),
    insightChanges(queries, grant, {
      ...filter,
      names: [name],
      measures: PERCENTILES.filter((each) => measures.includes(each)),
    }),
    insightSeries(queries, grant, input),
    insightSamples(queries, grant, input),
    insightFirst(queries, grant, input),
    hasIssues ? queryIssues(queries, grant, [name]) : [],
    kind === 'caches' ? missCost(queries, grant, input) : undefined,
    filterChoices(queries, grant, { params, nowMs, source: 'spans' }),
    insightSplits(queries, grant, { ...input, splits }),
  ])
  return {
    kind,
    name,
    row: found.rows[0],
    compared,
    series,
    samples,
    first,
    issues,
    cost,
    choices,
    splits: splits.map((id, index) => ({ id, rows: split[index] ?? [] })),
    mayAlert: mayAlso(grant, 'alert:write'),
  }
}
