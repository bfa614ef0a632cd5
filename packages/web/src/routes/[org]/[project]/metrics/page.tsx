import '../../../../charts/charts.css'
import '../../../../parts/issue-list/issues.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/explore/explore.css'
import './metrics.css'
import { measuredText } from '@sonde/queries/contract'
import { Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { NewAlertLink } from '../../../../parts/alerts/new-alert-link.tsx'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { SearchRefusal } from '../../../../parts/search-box/search-box.tsx'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState } from '../../../../ui/section.tsx'
import { MetricDetail } from './metric-detail.tsx'
import { MetricForm } from './metric-form.tsx'
import { withMetric } from './metric-search.ts'
import { MetricTable } from './metric-table.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Metrics · Sonde'

export default function Metrics() {
  const { org, project } = useParams<'org' | 'project'>()
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const data = usePageData<typeof load>()
  const { search, choices, isNarrowed, mayAlert } = data
  const refusal = 'refusal' in data ? data.refusal : undefined
  const shown = 'chart' in data ? data : undefined
  const all =
    pathname +
    withMetric(params, {
      metric: undefined,
      type: undefined,
      unit: undefined,
      measure: undefined,
      group: undefined,
      query: undefined,
    })
  return (
    <div className="page page-wide">
      <div className="explore-head">
        {search.metric === undefined ? (
          <h1 className="sr-only">Metrics of {project}</h1>
        ) : (
          <h1 className="metric-title">
            <Link to={all} prefetch="intent">
              Metrics
            </Link>{' '}
            <span aria-hidden="true">/</span> <bdi>{search.metric}</bdi>
          </h1>
        )}
        <FilterBar
          org={org}
          project={project}
          source="metrics"
          choices={choices}
          action={
            shown &&
            mayAlert && (
              <NewAlertLink
                org={org}
                project={project}
                start={{ metric: 'metrics|', spanMeasure: measuredText(shown), query: search.query }}
              />
            )
          }
        />
      </div>
      <MetricForm
        org={org}
        project={project}
        search={search}
        shown={shown && { ref: shown.ref, measure: shown.measure }}
        variants={'variants' in data ? data.variants : []}
        isRefused={refusal !== undefined}
      />
      {refusal && <SearchRefusal query={search.query} refusal={refusal} />}
      {'list' in data &&
        (data.list.metrics.length === 0 ? (
          <NoMetrics isNarrowed={isNarrowed} dsn={data.dsn} />
        ) : (
          <MetricTable {...data.list} />
        ))}
      {'variants' in data && !shown && (
        <EmptyState title="No points of this metric">
          <p>Remove a filter or choose a longer time range.</p>
        </EmptyState>
      )}
      {shown && <MetricDetail org={org} metric={shown.ref} {...detailOf(shown)} />}
    </div>
  )
}

type Shown = Extract<Awaited<ReturnType<typeof load>>, { chart: unknown }>
const detailOf = ({ search, measure, chart, figures, exemplars }: Shown) => ({
  search,
  measure,
  chart,
  figures,
  exemplars,
})

/** Either nothing matches, or nothing is sent yet. */
function NoMetrics({ isNarrowed, dsn }: { readonly isNarrowed: boolean; readonly dsn: string | undefined }) {
  if (isNarrowed)
    return (
      <EmptyState title="No matching metrics">
        <p>Remove a filter or choose a longer time range.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="No metrics in the last 7 days" docs="metrics">
      <p>Send metrics with any Sentry SDK that has them, or over OTLP.</p>
      {dsn !== undefined && (
        <>
          <Snippet
            what="code for JavaScript and Node.js"
            code={`Sentry.init({ dsn: '${dsn}' })

Sentry.metrics.count('orders', 1)
Sentry.metrics.distribution('cart.value', 42, { unit: 'euro' })`}
          />
          <Snippet what="settings for OpenTelemetry" code={otlpSettings(dsn)} />
        </>
      )}
    </EmptyState>
  )
}

function otlpSettings(dsn: string): string {
  const { protocol, host, username, pathname } = new URL(dsn)
  return `export OTEL_EXPORTER_OTLP_METRICS_ENDPOINT="${protocol}//${host}/api${pathname}/otlp/v1/metrics"
export OTEL_EXPORTER_OTLP_METRICS_HEADERS="x-sentry-auth=sentry sentry_key=${username}"`
}
