import { VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { VitalBreakdown as Breakdown, BreakdownColumn, BreakdownRow } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import { formatShare } from '../../../../format/format-count.ts'
import { NarrowingValue } from '../../../../parts/filter-bar/filter-bar.tsx'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { ShareBar } from '../../../../parts/split-bar.tsx'
import {
  fewText,
  ratingOf,
  VITAL_WORDS,
  vitalText,
  vitalTitle,
} from '../../../../parts/vitals/vital-words.ts'
import { addressText, changeRange } from '../../../../shell/time-range.ts'
import { Section } from '../../../../ui/section.tsx'
import type { load } from './page.server.ts'
import { RatedValue, VitalCauses, VitalParts } from './vital-causes.tsx'
import { VITAL_TRENDS, type VitalChoice, type VitalTrendKind, withChoice } from './vital-choice.ts'
import { VitalHistogram } from './vital-histogram.tsx'
import { SampleChoice, VitalSamples } from './vital-samples.tsx'

const BREAKDOWN_COLUMNS = [
  { id: 'device', title: 'Device' },
  { id: 'browser', title: 'Browser' },
  { id: 'connection', title: 'Connection' },
  { id: 'country', title: 'Country' },
  { id: 'release', title: 'Release' },
] as const satisfies readonly { readonly id: BreakdownColumn; readonly title: string }[]

type VitalBreakdownProps = { readonly name: VitalName; readonly breakdown: Breakdown }

/** A vital by segment: a click on a value filters the whole screen, another click removes the filter. */
function VitalBreakdown({ name, breakdown }: VitalBreakdownProps) {
  return (
    <div className="vital-breakdown">
      {BREAKDOWN_COLUMNS.filter(({ id }) => breakdown[id].length > 0).map(({ id, title }) => (
        <ColumnTable key={id} name={name} column={id} title={title} rows={breakdown[id]} />
      ))}
    </div>
  )
}

type ColumnProps = {
  readonly name: VitalName
  readonly column: BreakdownColumn
  readonly title: string
  readonly rows: readonly BreakdownRow[]
}

function ColumnTable({ name, column, title, rows }: ColumnProps) {
  const most = Math.max(...rows.map(({ count }) => count))
  return (
    <div className="perf-scroll" role="region" aria-label={`By ${title.toLowerCase()}`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className="col-num">
              p75
            </th>
            <th scope="col" className="col-num" title="Share of good page views">
              Good
            </th>
            <th scope="col" className="col-num">
              Page views
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ value, p75, samples, count, good }) => (
            <tr key={value}>
              <th scope="row" className="perf-name">
                <NarrowingValue column={column} value={value} />
              </th>
              <td className="col-num">
                <RatedValue name={name} value={p75} samples={samples} />
              </td>
              <td className="col-num num">{formatShare(good, count)}</td>
              <td className="col-num vital-breakdown-visits">
                <ExtrapolatedCount count={count} samples={samples} noun="page view" />
                <ShareBar part={count} whole={most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Props = {
  readonly org: string
  readonly project: string
  readonly choice: VitalChoice
  readonly detail: NonNullable<Awaited<ReturnType<typeof load>>['detail']>
  /** The table of routes, shown between the other sections. */
  readonly routes: ReactNode
}

const asShare = (value: number): string => formatShare(value, 1)

/** One vital in full, from its trend to single page views. */
export function VitalDetail({ org, project, choice, detail, routes }: Props) {
  const { chosen, trend, histogram, parts, causes, breakdown, samples } = detail
  const { name, p75 } = chosen
  const { long, meaning } = VITAL_WORDS[name]
  const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const hasUnit = name !== 'cls'
  return (
    <div className="vital-detail">
      <h2 className="vital-heading">
        {vitalTitle(name)} <span className="muted">{long}</span>
      </h2>
      <p className="muted perf-lead">
        {meaning[0]?.toUpperCase() + meaning.slice(1)}. Good ≤ {vitalText(name, goodUpTo)}, poor &gt;{' '}
        {vitalText(name, poorAbove)} at the 75th percentile.
      </p>
      {ratingOf(chosen) === undefined && <p className="vital-few">{fewText(chosen.samples)}.</p>}
      <div className="vital-charts">
        <TrendChart
          title={choice.trend === 'p75' ? '75th percentile' : '% good'}
          series={trend}
          noun="page view"
          format={choice.trend === 'p75' ? FORMATS[hasUnit ? 'time' : 'shift'] : asShare}
          zoomTo={({ fromMs, toMs }) =>
            pathname + changeRange(params, { range: { start: addressText(fromMs), end: addressText(toMs) } })
          }
          actions={<TrendChoice kind={choice.trend} />}
        />
        <VitalHistogram name={name} p75={p75} histogram={histogram} />
      </div>
      {parts && (
        <Section id="parts" title={`${vitalTitle(name)} breakdown`}>
          <VitalParts {...parts} />
        </Section>
      )}
      <VitalCauses org={org} project={project} name={name} {...causes} />
      {routes}
      <Section id="for-whom" title="By segment" note="click a value to filter">
        <VitalBreakdown name={name} breakdown={breakdown} />
      </Section>
      <Section id="visits" title="Sample page views" actions={<SampleChoice set={choice.samples} />}>
        <VitalSamples
          org={org}
          project={project}
          name={name}
          set={choice.samples}
          samples={samples}
          hasRoute={choice.route !== undefined}
        />
      </Section>
    </div>
  )
}

/** The same function on every render, so that the chart is not drawn again. */
const FORMATS = {
  time: (value: number) => vitalText('lcp', value),
  shift: (value: number) => vitalText('cls', value),
} as const

const TREND_NAMES: Readonly<Record<VitalTrendKind, string>> = { p75: 'p75', good: 'Good' }

function TrendChoice({ kind }: { readonly kind: VitalTrendKind }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <nav className="segmented segmented-small vital-trend-choice" aria-label="Chart metric">
      {VITAL_TRENDS.map((each) => (
        <Link
          key={each}
          to={pathname + withChoice(params, { trend: each })}
          prefetch="none"
          preventScrollReset
          aria-current={each === kind || undefined}
        >
          {TREND_NAMES[each]}
        </Link>
      ))}
    </nav>
  )
}
