import { VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import { countOf, formatExact, formatShare } from '../../../../format/format-count.ts'
import { RATING_WORDS, vitalText } from '../../../../parts/vitals/vital-words.ts'
import type { HistogramBar, HistogramBars } from './vital-series.ts'

type Props = { readonly name: VitalName; readonly p75: number; readonly histogram: HistogramBars }

/** Page views by value, with the thresholds and the 75th percentile. Rendered by the server. */
export function VitalHistogram({ name, p75, histogram: { bars, beyond, total } }: Props) {
  const end = bars.at(-1)?.to ?? 1
  const peak = Math.max(1, ...bars.map(({ visits }) => visits))
  const x = (value: number): string => `${((value / end) * 100).toFixed(3)}%`
  const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
  // Beside their lines, away from each other: at 360 px the lines are 60 px apart.
  const marks = [
    {
      at: goodUpTo,
      className: 'histogram-good',
      text: `good ≤ ${vitalText(name, goodUpTo)}`,
      isLeft: goodUpTo / end > 0.27,
    },
    {
      at: poorAbove,
      className: 'histogram-poor',
      text: `poor > ${vitalText(name, poorAbove)}`,
      isLeft: poorAbove / end > 0.73,
    },
  ].filter(({ at }) => at < end)
  return (
    <figure className="histogram" dir="ltr">
      <figcaption className="chart-caption">
        <strong>Distribution</strong>{' '}
        <span className="muted">page views by value, bars of {vitalText(name, bars[0]?.to ?? 0)}</span>
      </figcaption>
      <svg className="histogram-svg" role="img" aria-label={summary(name, p75, bars, total)}>
        <svg y="1.25rem" height="8rem">
          {bars.map((bar) => {
            const height = bar.visits === 0 ? 0 : Math.max(1.5, (bar.visits / peak) * 100)
            return (
              <rect
                key={bar.from}
                className={`part-${bar.rating}`}
                x={x(bar.from)}
                width={x(bar.to - bar.from)}
                y={`${100 - height}%`}
                height={`${height}%`}
              >
                <title>{barText(name, bar, total)}</title>
              </rect>
            )
          })}
        </svg>
        {marks.map(({ at, className, text, isLeft }) => (
          <g key={className} className={className}>
            <line x1={x(at)} x2={x(at)} y1="0" y2="9.25rem" />
            <text x={x(at)} dx={isLeft ? -4 : 4} y="0.75rem" textAnchor={isLeft ? 'end' : 'start'}>
              {text}
            </text>
          </g>
        ))}
        <line className="histogram-axis" x1="0" x2="100%" y1="9.25rem" y2="9.25rem" />
        {p75 <= end && (
          <g className="histogram-p75">
            <line x1={x(p75)} x2={x(p75)} y1="1.5rem" y2="9.5rem" />
            <text
              x={x(p75)}
              y="10.25rem"
              textAnchor={p75 / end > 0.9 ? 'end' : p75 / end < 0.1 ? 'start' : 'middle'}
            >
              p75 {vitalText(name, p75)}
            </text>
          </g>
        )}
        {p75 / end > 0.15 && (
          <text x="0" y="10.25rem">
            0
          </text>
        )}
        {p75 / end < 0.8 && (
          <text x="100%" y="10.25rem" textAnchor="end">
            {vitalText(name, end)}
          </text>
        )}
      </svg>
      {beyond > 0 && (
        <p className="muted histogram-note">
          {countOf(beyond, 'page view')} above {vitalText(name, end)} ({formatShare(beyond, total)})
        </p>
      )}
      <details className="fold chart-data">
        <summary>Show data table</summary>
        <table className="chart-table">
          <thead>
            <tr>
              <th scope="col">Up to</th>
              <th scope="col" className="col-num">
                Page views
              </th>
              <th scope="col">Rating</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ visits }) => visits > 0)
              .map((bar) => (
                <tr key={bar.from}>
                  <th scope="row">{vitalText(name, bar.to)}</th>
                  <td className="num col-num">{formatExact(bar.visits)}</td>
                  <td>{RATING_WORDS[bar.rating]}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const barText = (name: VitalName, { from, to, visits, rating }: HistogramBar, total: number): string =>
  `${vitalText(name, from)} to ${vitalText(name, to)}, ${RATING_WORDS[rating]}: ${formatExact(visits)} of ${formatExact(total)} page views`

function summary(name: VitalName, p75: number, bars: readonly HistogramBar[], total: number): string {
  const largest = bars.reduce<HistogramBar | undefined>(
    (most, bar) => (bar.visits > (most?.visits ?? 0) ? bar : most),
    undefined,
  )
  const most = largest ? `; most (${formatExact(largest.visits)}) up to ${vitalText(name, largest.to)}` : ''
  return `${formatExact(total)} page views by value, p75 ${vitalText(name, p75)}${most}`
}
