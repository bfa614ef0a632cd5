import '../../../../charts/charts.css'
import '../../../../parts/performance/performance.css'
import './navigations.css'
import type { NavigationSummary } from '@sonde/queries'
import { useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
import type { ChartMarker, TimeRange } from '../../../../charts/chart-series.ts'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import { formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { NewAlertLink } from '../../../../parts/alerts/new-alert-link.tsx'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { keptShare } from '../../../../parts/performance/extrapolated.ts'
import { addressText, changeRange } from '../../../../shell/time-range.ts'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { DeploymentsSection } from './deployments-section.tsx'
import { navigationPlace } from './navigation-address.ts'
import { failureTrend, type Figure, summaryFigures, timesTrend } from './navigation-figures.ts'
import { SelectedTransition } from './navigation-links.tsx'
import { NavigationPanel } from './navigation-panel.tsx'
import { NavigationSections, shownOf } from './navigation-sections.tsx'
import { OldBuildCards } from './old-build-cards.tsx'
import type { load } from './page.server.ts'
import { PairPanel } from './pair-panel.tsx'
import { PairTable } from './pair-table.tsx'
import { PhaseBar } from './phase-bar.tsx'
import { StockSection } from './stock-section.tsx'

type NavigationChartsProps = {
  readonly trend: NavigationSummary['trend']
  readonly markers: readonly ChartMarker[]
}

/** Time to visible and failures over time, with builds and deploys as markers; a brush zooms the whole screen. */
function NavigationCharts({ trend, markers }: NavigationChartsProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  // A new object is drawn again: the same series must keep its identity.
  const times = useMemo(() => timesTrend(trend, markers), [trend, markers])
  const failures = useMemo(() => failureTrend(trend, markers), [trend, markers])
  const zoomTo = ({ fromMs, toMs }: TimeRange): string =>
    pathname + changeRange(params, { range: { start: addressText(fromMs), end: addressText(toMs) } })
  return (
    <div className="nav-charts">
      <TrendChart
        title="Time to visible"
        series={times}
        noun="navigation"
        format={formatDuration}
        zoomTo={zoomTo}
        actions={<LineKey lines={LINES} />}
      />
      <TrendChart
        title="Failed or abandoned"
        series={failures}
        noun="navigation"
        format={percent}
        zoomTo={zoomTo}
      />
    </div>
  )
}

const LINES = [
  ['p50', 'edge'],
  ['p75', 'accent'],
  ['p95', 'bar'],
] as const

function LineKey({ lines }: { readonly lines: typeof LINES }) {
  return (
    <span className="nav-line-key">
      {lines.map(([name, token]) => (
        <span key={name}>
          <svg viewBox="0 0 12 4" aria-hidden="true">
            <path className={`trend-line trend-line--${token}`} d="M0 2H12" />
          </svg>{' '}
          {name}
        </span>
      ))}
    </span>
  )
}

const percent = (share: number): string => formatShare(share, 1)

export const title = (): string => 'Navigations · Sonde'

export default function Navigations() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const [params] = useSearchParams()
  const { navigation, sort } = navigationPlace(params)
  const { summary, pairs, pairCount, pageData, chunks, markers, choices, parts, slowest, deployments } = data
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Navigations in {project}</h1>
      <FilterBar
        org={org}
        project={project}
        source="navigations"
        choices={choices}
        action={
          data.mayAlert &&
          !data.isUnrecorded && (
            <NewAlertLink
              org={org}
              project={project}
              start={{ metric: 'navigations|failed()', trigger: '10' }}
            />
          )
        }
      />
      <SelectedTransition />
      {navigation !== undefined && <NavigationPanel org={org} one={data.one} />}
      {data.isEmpty ? (
        <>
          <NothingNavigated dsn={data.dsn} isNarrowed={data.isNarrowed} />
          {deployments.builds.length > 0 && <DeploymentsSection data={deployments} />}
        </>
      ) : data.isUnrecorded ? (
        <>
          <StockSection org={org} stock={data.stock} isAlone />
          {deployments.builds.length > 0 && <DeploymentsSection data={deployments} />}
        </>
      ) : (
        <>
          <SummaryCards figures={summaryFigures(summary.total, summary.before, pageData)} />
          {data.part < 1 && (
            <p className="muted">
              Large data set: {keptShare(data.part)} was read and the numbers are extrapolated. Rare values
              may be missing. Choose a shorter time range to read everything.
            </p>
          )}
          <OldBuildCards org={org} project={project} found={chunks} deployments={deployments} />
          {deployments.builds.length > 0 && <DeploymentsSection data={deployments} />}
          <Section
            id="time"
            title="Time breakdown"
            note="mean from interaction to paint; data and code load in parallel, the longer one counts"
          >
            <PhaseBar phases={summary.total.meanPhases} of="All navigations" />
            <NavigationCharts trend={summary.trend} markers={markers} />
          </Section>
          {parts && slowest && (
            <Section id="pair" title="Selected transition">
              <PairPanel org={org} pairs={pairs} parts={parts} slowest={slowest} />
            </Section>
          )}
          {(!parts || pairCount > 1) && (
            <Section id="pairs" title="Route transitions" note={shownOf(pairs.length, pairCount)}>
              <PairTable pairs={pairs} sort={sort} />
            </Section>
          )}
          <NavigationSections org={org} data={data} />
          {data.stock.targets.length > 0 && <StockSection org={org} stock={data.stock} isAlone={false} />}
        </>
      )}
    </div>
  )
}

/** The key figures, each with a link to its section. */
function SummaryCards({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <ul className="nav-cards" aria-label="Summary">
      {figures.map(({ name, value, detail, before, about, fragment, isBad }) => (
        <li key={name} className="nav-card" title={about}>
          <span className="nav-card-name">
            {fragment === undefined ? name : <a href={`#${fragment}`}>{name}</a>}
          </span>
          <strong className={`nav-card-value num ${isBad ? 'perf-bad' : ''}`}>{value}</strong>
          <span className="nav-card-detail num">{detail}</span>
          {before !== undefined && <span className="nav-card-detail num">{before}</span>}
        </li>
      ))}
    </ul>
  )
}

type Props = { readonly dsn: string | undefined; readonly isNarrowed: boolean }

/** Either the time range is too short, or the application reports no navigations. */
function NothingNavigated({ dsn, isNarrowed }: Props) {
  return (
    <EmptyState title="No navigations yet" docs="navigations">
      <p>Each client-side navigation is recorded with its routes, timing phases, outcome and prefetches.</p>
      {isNarrowed && <p>Nothing matches. Try a longer time range or fewer filters.</p>}
      {dsn !== undefined && (
        <>
          <p>
            Sentry’s browser SDKs report navigations with <code>browserTracingIntegration()</code> and a
            sample rate, without their outcome; <code>@sonde/sentry-integration</code> adds that. Sonde’s own
            browser SDK records all of it:
          </p>
          <Snippet
            what="code that records navigations"
            code={`import { chunkFailures, init, navigations, pageDataFailures, tracing } from '@sonde/browser'

init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  features: [tracing(), navigations(), chunkFailures(), pageDataFailures()],
})`}
          />
        </>
      )}
    </EmptyState>
  )
}
