/** The metrics of a project; or one of them over time, in groups, with the traces of its exemplars. */
import { mayAlso } from '@sonde/access'
import { listMetrics, metricChart, metricExemplars, metricFigures, projectKeys } from '@sonde/queries'
import { MEASURES_OF_TYPE, pointMeasure } from '@sonde/queries/contract'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { refusalOf } from '../../../../parts/explore/load-explore.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { readMetricSearch } from './metric-search.ts'

/** As many as there are colours beside that of the rest. */
const GROUPS = 5

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const search = readMetricSearch(params)
  const common = {
    search,
    choices: await filterChoices(queries, grant, { params, nowMs, source: 'metrics' }),
    isNarrowed: isFiltered(params) || search.query !== '',
    mayAlert: mayAlso(grant, 'alert:write'),
  }
  const filter = { ...performanceFilterOf(params, nowMs), query: search.query }
  try {
    if (search.metric === undefined) {
      const list = await listMetrics(queries, grant, filter)
      const keys = list.metrics.length === 0 ? await projectKeys(queries, grant) : []
      return { ...common, list, dsn: keys.find((key) => key.isActive)?.dsn }
    }
    const { metrics: variants } = await listMetrics(queries, grant, { ...filter, name: search.metric })
    const shown =
      variants.find(({ type, unit }) => type === search.type && unit === (search.unit ?? unit)) ?? variants[0]
    if (shown === undefined) return { ...common, variants }
    const ref = { name: shown.name, type: shown.type, unit: shown.unit }
    const measure = pointMeasure(ref.type, search.measure) ?? MEASURES_OF_TYPE[ref.type][0]
    const groupBy = search.groupBy === '' ? undefined : search.groupBy
    // One after the other: each may need much of the engine's memory.
    const chart = await metricChart(queries, grant, { ...filter, ref, measure, groupBy, groups: GROUPS })
    const figures = await metricFigures(queries, grant, { ...filter, ref })
    const exemplars = await metricExemplars(queries, grant, { ...filter, ref })
    return { ...common, variants, ref, measure, chart, figures, exemplars }
  } catch (error) {
    return { ...common, refusal: refusalOf(error, search.query) }
  }
}
