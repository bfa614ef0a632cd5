/** One of the pages over spans of a kind: queries, requests, assets, caches, queues. */
import { mayAlso } from '@sonde/access'
import { insightChanges, insightRows, insightSparks, projectKeys, queryIssues } from '@sonde/queries'
import { INSIGHT_KINDS, type InsightKind, insightKindOf } from '@sonde/queries/contract'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../../parts/filter-bar/filter-of.server.ts'
import {
  INSIGHT_PARAMS,
  INSIGHT_ROWS,
  readInsightSearch,
} from '../../../../../parts/insights/insight-search.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'kind'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const kind = insightKindOf(args.params.kind)
  if (kind === undefined) return notFound()
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const search = readInsightSearch(params, kind)
  const { query, route, peer, type, owner, sort, order, page } = search
  const filter = { ...performanceFilterOf(params, nowMs), kind, route, peer }
  const [found, choices] = await Promise.all([
    insightRows(queries, grant, {
      ...filter,
      query,
      type,
      owner,
      sort,
      order,
      limit: INSIGHT_ROWS,
      offset: (page - 1) * INSIGHT_ROWS,
    }),
    filterChoices(queries, grant, { params, nowMs, source: 'spans' }),
  ])
  const names = found.rows.map(({ name }) => name)
  const { hasIssues }: InsightKind = INSIGHT_KINDS[kind]
  const [sparks, changes, issues, keys] = await Promise.all([
    insightSparks(queries, grant, { ...filter, names }),
    insightChanges(queries, grant, { ...filter, names, measures: ['p75'] }),
    hasIssues ? queryIssues(queries, grant, names) : [],
    found.total === 0 ? projectKeys(queries, grant) : [],
  ])
  return {
    kind,
    ...found,
    rows: found.rows.map((row) => ({
      ...row,
      spark: Object.hasOwn(sparks.counts, row.name) ? (sparks.counts[row.name] ?? []) : [],
      changed: changes.find(({ name }) => name === row.name),
      issues: issues.filter(({ name, status }) => name === row.name && status === 'unresolved').length,
    })),
    window: { fromMs: filter.fromMs, toMs: filter.toMs, stepMs: sparks.stepMs },
    choices,
    mayAlert: mayAlso(grant, 'alert:write'),
    dsn: keys.find(({ isActive }) => isActive)?.dsn,
    isNarrowed: isFiltered(params) || INSIGHT_PARAMS.some((name) => params.has(name)),
  }
}
