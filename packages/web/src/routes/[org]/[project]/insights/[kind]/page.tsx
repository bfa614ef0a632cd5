import '../../../../../parts/performance/performance.css'
import '../../../../../parts/performance/transactions.css'
import '../../../../../parts/insights/insights.css'
import { INSIGHT_KINDS, type InsightKind, type InsightKindId } from '@sonde/queries/contract'
import { type DataOf, Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { countOf, formatBytes, formatExact } from '../../../../../format/format-count.ts'
import { NewAlertLink } from '../../../../../parts/alerts/new-alert-link.tsx'
import { FilterBar } from '../../../../../parts/filter-bar/filter-bar.tsx'
import { ExploreLink } from '../../../../../parts/insights/explore-link.tsx'
import {
  exploreQuery,
  INSIGHT_ROWS,
  readInsightSearch,
} from '../../../../../parts/insights/insight-search.ts'
import { NoInsights } from '../../../../../parts/insights/no-insights.tsx'
import { withParams } from '../../../../../parts/performance/transaction-search.ts'
import { InsightFilters } from './insight-filters.tsx'
import { InsightTable } from './insight-table.tsx'
import type { load } from './page.server.ts'

export const title = ({ kind }: DataOf<typeof load>): string =>
  `${INSIGHT_KINDS[kind].name} · Insights · Sonde`

/** Queries, outgoing requests, assets, caches or queues, by what is measured of them. */
export default function Insights() {
  const { org, project } = useParams<'org' | 'project'>()
  const { kind, rows, total, loads, window, choices, mayAlert, dsn, isNarrowed } = usePageData<typeof load>()
  const [params] = useSearchParams()
  const search = readInsightSearch(params, kind)
  const query = exploreQuery(kind, undefined, search)
  const { name }: InsightKind = INSIGHT_KINDS[kind]
  return (
    <div className="page page-wide">
      <h1 className="sr-only">
        {name} of {project}
      </h1>
      <FilterBar
        org={org}
        project={project}
        source="spans"
        choices={choices}
        action={
          mayAlert && (
            <NewAlertLink
              org={org}
              project={project}
              start={{ metric: 'spans|', spanMeasure: 'p95(span.duration)', query, trigger: '1000' }}
            />
          )
        }
      />
      {total === 0 && !isNarrowed ? (
        <NoInsights kind={kind} dsn={dsn} isNarrowed={false} />
      ) : (
        <>
          <InsightFilters kind={kind} />
          <p className="insight-lead">
            {kind === 'assets' && loads > 0 && (
              <span className="muted">
                {formatBytes(Math.round(rows.reduce((sum, row) => sum + (row.bytesPerLoad ?? 0), 0)))} per
                page load{total > rows.length ? ' in these rows' : ''}, {countOf(loads, 'page load')}
              </span>
            )}
            <ExploreLink org={org} project={project} query={query} />
          </p>
          {rows.length === 0 ? (
            <NoInsights kind={kind} dsn={undefined} isNarrowed />
          ) : (
            <>
              <InsightTable org={org} project={project} kind={kind} rows={rows} window={window} />
              <Pages kind={kind} shown={rows.length} total={total} />
            </>
          )}
        </>
      )}
    </div>
  )
}

type PagesProps = { readonly kind: InsightKindId; readonly shown: number; readonly total: number }

/** The shown range and links to the other pages. */
function Pages({ kind, shown, total }: PagesProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { page } = readInsightSearch(params, kind)
  const first = (page - 1) * INSIGHT_ROWS + 1
  const step = (name: string, to: number, isThere: boolean) =>
    isThere ? (
      <Link
        className="button button-small"
        to={pathname + withParams(params, { page: to === 1 ? undefined : String(to) })}
        prefetch="intent"
      >
        {name}
      </Link>
    ) : (
      <span className="button button-small" aria-disabled="true">
        {name}
      </span>
    )
  return (
    <div className="transaction-pages">
      <p className="muted">
        {total <= INSIGHT_ROWS && page === 1
          ? `${formatExact(total)} ${total === 1 ? 'row' : 'rows'}`
          : `${formatExact(first)}–${formatExact(first + shown - 1)} of ${formatExact(total)}`}
      </p>
      {total > INSIGHT_ROWS && (
        <nav aria-label="Pages">
          {step('Previous', page - 1, page > 1)}
          {step('Next', page + 1, page * INSIGHT_ROWS < total)}
        </nav>
      )}
    </div>
  )
}
