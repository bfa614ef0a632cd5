/** Lines of logs with how many there were by severity, or the patterns among them. */
import { mayAlso } from '@sonde/access'
import { issuesOfTraces, listLogs, type LogLine, logPatterns, logSeries, projectKeys } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { refusalOf } from '../../../../parts/explore/load-explore.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { PAGE_LINES, readLogSearch } from './log-search.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const search = readLogSearch(params)
  const common = {
    search,
    choices: await filterChoices(queries, grant, { params, nowMs, source: 'logs' }),
    isNarrowed: isFiltered(params) || search.query !== '',
    mayAlert: mayAlso(grant, 'alert:write'),
  }
  const input = { ...performanceFilterOf(params, nowMs), query: search.query }
  try {
    const [series, page, patterns] = await Promise.all([
      logSeries(queries, grant, input),
      search.view === 'lines'
        ? listLogs(queries, grant, { ...input, before: search.before, limit: PAGE_LINES })
        : undefined,
      search.view === 'patterns' ? logPatterns(queries, grant, input) : undefined,
    ])
    const keys = series.total === 0 ? await projectKeys(queries, grant) : []
    const traced = page?.lines.filter(({ traceId }) => traceId !== '') ?? []
    const samples = traced.map(({ traceId, atMs }) => ({ traceId, atMs: Math.floor(atMs) }))
    const issues = samples.length === 0 ? new Map() : await issuesOfTraces(queries, grant, samples)
    return {
      ...common,
      series,
      patterns,
      page: page && { ...page, lines: page.lines.map(shown) },
      issues: Object.fromEntries(issues) as Readonly<Record<string, { id: number; title: string }>>,
      dsn: keys.find((key) => key.isActive)?.dsn,
    }
  } catch (error) {
    return { ...common, refusal: refusalOf(error, search.query) }
  }
}

/** A page holds fifty lines of up to 128 attributes: what is longer than anybody reads in a list is cut. */
const MAX_BODY = 4_000
const MAX_VALUE = 500

function shown(line: LogLine): LogLine {
  const attributes = Object.entries(line.attributes).map(([key, value]) => [key, cut(value, MAX_VALUE)])
  return {
    ...line,
    body: String(cut(line.body, MAX_BODY)),
    attributes: Object.fromEntries(attributes) as LogLine['attributes'],
  }
}

const cut = (value: string | number, length: number): string | number =>
  typeof value === 'string' && value.length > length ? `${value.slice(0, length)}…` : value
