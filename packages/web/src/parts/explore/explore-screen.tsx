import type { ExploreSeries, ExploreTable, ExploreValue, FilterValue } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
import type { TimeRange } from '../../charts/chart-series.ts'
import type { TrendSeries } from '../../charts/chart-series.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/section.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { NewAlertLink } from '../alerts/new-alert-link.tsx'
import { FilterBar } from '../filter-bar/filter-bar.tsx'
import type { FilterId } from '../filter-bar/filter-state.ts'
import { zoomedTo } from '../performance/transaction-search.ts'
import { SearchRefusal } from '../search-box/search-box.tsx'
import { ExploreForm } from './explore-form.tsx'
import { ExploreNav } from './explore-nav.tsx'
import { type ExploreSearch, PAGE_ROWS, sortOf, withExplore } from './explore-search.ts'
import { ExploreCell, GroupTable, isNumeric, valueText } from './group-table.tsx'
import type { ExploreRefusal } from './load-explore.server.ts'

/** Shown by the first cell, which leads to the trace. */
const IDS = ['timestamp', 'trace', 'id']

/** Single spans, the newest first; each leads to its place in its trace. */
function SpanTable({ org, table }: { readonly org: string; readonly table: ExploreTable }) {
  const indexes = new Map(table.columns.map(({ field }, index) => [field, index]))
  const valueOf = (row: readonly ExploreValue[], field: string): ExploreValue =>
    row[indexes.get(field) ?? -1] ?? null
  const columns = table.columns.flatMap((column, index) =>
    IDS.includes(column.field) ? [] : [{ ...column, index }],
  )
  return (
    <div className="perf-scroll" role="region" aria-label="Spans" tabIndex={0}>
      <table className="perf-table explore-table">
        <thead>
          <tr>
            <th scope="col">Start</th>
            {columns.map(({ field, kind }) => (
              <th key={field} scope="col" className={isNumeric(kind) ? 'col-num' : undefined}>
                <UserText text={field} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => {
            const id = String(valueOf(row, 'id'))
            return (
              <tr key={id}>
                <td>
                  <Link to={paths.trace(org, String(valueOf(row, 'trace')), id)} prefetch="none">
                    <ExactTime atMs={Number(valueOf(row, 'timestamp'))} />
                  </Link>
                </td>
                {columns.map(({ field, kind, index }) => (
                  <td key={field} className={isNumeric(kind) ? 'col-num' : 'perf-name'}>
                    <ExploreCell kind={kind} value={row[index] ?? null} />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

type Props = {
  readonly org: string
  readonly project: string | undefined
  readonly search: ExploreSearch
  readonly choices?: { readonly id: FilterId; readonly values: readonly FilterValue[] } | undefined
  readonly isNarrowed: boolean
  readonly mayAlert: boolean
  readonly table?: ExploreTable | undefined
  readonly series?: ExploreSeries | undefined
  readonly refusal?: ExploreRefusal | undefined
}

/** Spans by any attribute. Everything that is chosen stands in the address. */
export function ExploreScreen({ org, project, search, choices, isNarrowed, mayAlert, ...found }: Props) {
  const { table, series, refusal } = found
  return (
    <div className="page page-wide">
      <div className="explore-head">
        <h1 className="sr-only">Explore spans of {project ?? 'all projects'}</h1>
        <ExploreNav org={org} project={project} here="spans" />
        <FilterBar
          org={org}
          project={project}
          source="spans"
          choices={choices}
          action={
            project !== undefined &&
            mayAlert &&
            refusal === undefined && (
              <NewAlertLink
                org={org}
                project={project}
                start={{ metric: 'spans|', spanMeasure: shownMeasure(search), query: search.query }}
              />
            )
          }
        />
      </div>
      <ExploreForm org={org} project={project} search={search} isRefused={refusal !== undefined} />
      {refusal && <SearchRefusal query={search.query} refusal={refusal} />}
      {table && series && series.total === 0 && (
        <EmptyState title={isNarrowed ? 'No matching spans' : 'No spans yet'} docs="explore">
          <p>
            {isNarrowed
              ? 'Remove a filter or choose a longer time range.'
              : 'Send spans with any Sentry SDK that has tracing enabled, with Sonde’s SDK, or over OTLP.'}
          </p>
        </EmptyState>
      )}
      {table && series && series.total > 0 && (
        <>
          <ExploreChart series={series} search={search} />
          {search.view === 'groups' ? (
            <GroupTable org={org} project={project} table={table} series={series} search={search} />
          ) : (
            <SpanTable org={org} table={table} />
          )}
          <ExplorePages page={search.page} shown={table.rows.length} hasMore={table.hasMore} />
        </>
      )}
    </div>
  )
}

type ExplorePagesProps = { readonly page: number; readonly shown: number; readonly hasMore: boolean }

function ExplorePages({ page, shown, hasMore }: ExplorePagesProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  if (page === 1 && !hasMore) return null
  const to = (next: number): string =>
    pathname + withExplore(params, { page: next === 1 ? undefined : String(next) })
  const first = (page - 1) * PAGE_ROWS
  return (
    <nav className="pages" aria-label="Pages">
      <span className="muted num">{shown === 0 ? 'No results' : `${first + 1}–${first + shown}`}</span>
      {page > 1 && (
        <Link className="button button-small" to={to(page - 1)} prefetch="none" rel="prev">
          Previous
        </Link>
      )}
      {hasMore && (
        <Link className="button button-small" to={to(page + 1)} prefetch="none" rel="next">
          Next
        </Link>
      )}
    </nav>
  )
}

/** The measure that the table is sorted by. */
function shownMeasure(search: ExploreSearch): string {
  const sorted = sortOf(search).field
  return search.measures.includes(sorted) ? sorted : (search.measures[0] ?? 'count()')
}

/** The measure that the table is sorted by, of all spans that match. A brush writes the time into the address. */
function ExploreChart({
  series,
  search,
}: {
  readonly series: ExploreSeries
  readonly search: ExploreSearch
}) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const measure = shownMeasure(search)
  const zoomTo = (range: TimeRange): string => pathname + zoomedTo(params, range)
  // Made once for each answer: a chart is drawn anew when it gets another series.
  const drawn = useMemo((): TrendSeries => {
    const { fromMs, toMs, stepMs, counts, total, values } = series
    const lines = [{ name: measure, values, token: '--accent' as const }]
    return { fromMs, toMs, stepMs, counts, total, markers: [], lines, levels: [] }
  }, [series, measure])
  if (measure === 'count()')
    return <TimeChart title="Spans" noun={['span', 'spans']} series={drawn} zoomTo={zoomTo} />
  return (
    <TrendChart
      title={measure}
      noun="span"
      series={drawn}
      format={(value) => valueText(series.kind, value)}
      zoomTo={zoomTo}
    />
  )
}
