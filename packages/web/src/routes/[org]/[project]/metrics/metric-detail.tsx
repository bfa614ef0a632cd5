/** One metric over time, every measure of it, its groups, and traces in which it was measured. */
import type { MetricChart, MetricExemplar, MetricFigures, MetricLine } from '@sonde/queries'
import { MEASURES_OF_TYPE, type MetricRef, type PointMeasure } from '@sonde/queries/contract'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
import type { TrendLine, TrendSeries } from '../../../../charts/chart-series.ts'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import { formatExact } from '../../../../format/format-count.ts'
import { termFor } from '../../../../parts/explore/term-for.ts'
import { zoomedTo } from '../../../../parts/performance/transaction-search.ts'
import { paths } from '../../../../paths.ts'
import { Section } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { type MetricSearch, withMetric } from './metric-search.ts'
import { measureName, metricValueText } from './metric-value.ts'

const HUES = ['--hue-1', '--hue-2', '--hue-3', '--hue-4', '--hue-5'] as const
type Token = TrendLine['token']

type Props = {
  readonly org: string
  readonly search: MetricSearch
  readonly metric: MetricRef
  readonly measure: PointMeasure
  readonly chart: MetricChart
  readonly figures: MetricFigures
  readonly exemplars: readonly MetricExemplar[]
}

export function MetricDetail({ org, search, metric, measure, chart, figures, exemplars }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const isGrouped = search.groupBy !== ''
  const series = useMemo((): TrendSeries => {
    const lines = chart.lines.map((line, index): TrendLine => ({
      name: isGrouped ? lineName(line) : measureName(measure, metric.type),
      values: line.values,
      token: isGrouped ? tokenOf(line, index) : '--accent',
    }))
    return { ...chart, lines, levels: [], markers: [] }
  }, [chart, isGrouped, measure, metric.type])
  const format = (value: number): string => metricValueText(metric, measure, value)
  return (
    <>
      <TrendChart
        title={`${measureName(measure, metric.type)} of ${metric.name}`}
        noun={isPoints(metric) ? 'point' : 'measurement'}
        series={series}
        format={format}
        zoomTo={(range) => pathname + zoomedTo(params, range)}
      />
      <dl className="metric-figures">
        {MEASURES_OF_TYPE[metric.type].map((each) => {
          const value = figures[each] ?? null
          return (
            <div key={each}>
              <dt>
                <Link
                  to={pathname + withMetric(params, { measure: each })}
                  prefetch="none"
                  aria-current={each === measure ? 'true' : undefined}
                >
                  {measureName(each, metric.type)}
                </Link>
              </dt>
              <dd className="num">{value === null ? '–' : metricValueText(metric, each, value)}</dd>
            </div>
          )
        })}
      </dl>
      {isGrouped && (
        <Groups chart={chart} search={search} metric={metric} measure={measure} format={format} />
      )}
      {exemplars.length > 0 && <Exemplars org={org} metric={metric} exemplars={exemplars} />}
    </>
  )
}

const isPoints = ({ type }: MetricRef): boolean => type === 'counter' || type === 'gauge'
const lineName = ({ key }: MetricLine): string =>
  key === undefined ? 'Others' : key === '' ? '(empty)' : key
const tokenOf = ({ key }: MetricLine, index: number): Token =>
  key === undefined ? '--edge' : (HUES[index % HUES.length] ?? '--edge')

type GroupsProps = Pick<Props, 'chart' | 'search' | 'metric' | 'measure'> & {
  readonly format: (value: number) => string
}

function Groups({ chart, search, metric, measure, format }: GroupsProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const rest = chart.groups - chart.lines.filter(({ key }) => key !== undefined).length
  return (
    <div className="perf-scroll" role="region" aria-label="Groups" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">
              <bdi>{search.groupBy}</bdi>
            </th>
            <th scope="col" className="col-num">
              {measureName(measure, metric.type)}
            </th>
            <th scope="col" className="col-num">
              {isPoints(metric) ? 'Points' : 'Measurements'}
            </th>
          </tr>
        </thead>
        <tbody>
          {chart.lines.map((line, index) => (
            <tr key={line.key === undefined ? 'others' : `=${line.key}`}>
              <td className="perf-name">
                <span className={`metric-mark metric-mark${tokenOf(line, index)}`} aria-hidden="true" />{' '}
                {line.key === undefined ? (
                  `Others (${formatExact(rest)})`
                ) : (
                  <Link
                    to={
                      pathname +
                      withMetric(params, {
                        query: `${search.query} ${termFor(search.groupBy, line.key)}`.trim(),
                      })
                    }
                    prefetch="none"
                    title="Only points of this group"
                  >
                    <UserText text={lineName(line)} />
                  </Link>
                )}
              </td>
              <td className="num col-num">{line.value === null ? '–' : format(line.value)}</td>
              <td className="num col-num">{formatExact(line.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type ExemplarsProps = Pick<Props, 'org' | 'metric' | 'exemplars'>

function Exemplars({ org, metric, exemplars }: ExemplarsProps) {
  return (
    <Section id="exemplars" title="Exemplars" note="The largest of the newest measurements that have a trace">
      <div className="perf-scroll" role="region" aria-label="Measurements with their traces" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col" className="col-num">
                Value
              </th>
              <th scope="col">Trace</th>
            </tr>
          </thead>
          <tbody>
            {exemplars.map(({ value, atMs, traceId, spanId }) => (
              <tr key={`${traceId} ${spanId} ${value}`}>
                <td>
                  <ExactTime atMs={atMs} />
                </td>
                <td className="num col-num">{metricValueText(metric, 'max', value)}</td>
                <td>
                  <Link to={paths.trace(org, traceId, spanId === '' ? undefined : spanId)} prefetch="none">
                    <code>{traceId.slice(0, 8)}</code>
                    <span className="sr-only">, the trace in which it was measured</span>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
