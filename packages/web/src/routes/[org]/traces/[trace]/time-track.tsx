/** The time column of the waterfall: the ruler with web vitals in its head, and the bar of each line. */
import { memo } from 'react'
import { formatDuration } from '../../../../format/format-time.ts'
import { labelled, placeIn, ticksOf, type TimeMark, type TimeWindow } from './trace-time.ts'

const TICKS = 5
/** Labels beyond this are drawn to the left of their time. */
const TURNS = 0.8

const percent = (place: number): string => `${(place * 100).toFixed(3)}%`

export function TimeRuler({
  window,
  marks,
}: {
  readonly window: TimeWindow
  readonly marks: readonly TimeMark[]
}) {
  const ticks = ticksOf(window, TICKS).filter((tick) => placeIn(window, tick) < 0.97)
  return (
    <svg className="time-ruler" role="img" aria-label={rulerText(window, marks)}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={percent(placeIn(window, tick))} x2={percent(placeIn(window, tick))} y1="80%" y2="100%" />
          <text x={percent(placeIn(window, tick))} y="94%" dx="3">
            {formatDuration(tick)}
          </text>
        </g>
      ))}
      {labelled(window, marks).map(({ place, text, rating }) => (
        <text
          key={text}
          className={`mark-${rating}`}
          x={percent(place)}
          y="40%"
          dx={place > TURNS ? -3 : 3}
          textAnchor={place > TURNS ? 'end' : 'start'}
        >
          {text}
        </text>
      ))}
    </svg>
  )
}

const rulerText = ({ fromMs, toMs }: TimeWindow, marks: readonly TimeMark[]): string =>
  [`${formatDuration(fromMs)} to ${formatDuration(toMs)}`, ...marks.map(({ text }) => text)].join(', ')

/** Lines through all rows, behind their bars. */
export function VitalLines({
  window,
  marks,
}: {
  readonly window: TimeWindow
  readonly marks: readonly TimeMark[]
}) {
  const seen = marks.filter(({ atMs }) => atMs >= window.fromMs && atMs <= window.toMs)
  if (seen.length === 0) return null
  return (
    <div className="span-row vital-lines" aria-hidden="true">
      <svg className="vital-lines-svg">
        {seen.map(({ text, atMs, rating }) => (
          <line
            key={text}
            className={`mark-${rating}`}
            x1={percent(placeIn(window, atMs))}
            x2={percent(placeIn(window, atMs))}
            y1="0"
            y2="100%"
          />
        ))}
      </svg>
    </div>
  )
}

/** The bar of a line, its time on the critical path, and its errors. */
const WIDTH = 1000
/** A short span stays visible. */
const LEAST = 2

export type Stretch = { readonly fromMs: number; readonly lengthMs: number }
type Props = {
  readonly window: TimeWindow
  /** One for a span, several for a group. */
  readonly bars: readonly Stretch[]
  readonly className: string
  readonly critical?: readonly Stretch[] | undefined
  readonly errorsMs?: readonly number[] | undefined
}

export const LineBar = memo(function LineBar({ window, bars, className, critical, errorsMs }: Props) {
  return (
    <svg className="span-bar" viewBox={`0 0 ${WIDTH} 14`} preserveAspectRatio="none" aria-hidden="true">
      <path className={className} d={bars.map((bar) => box(window, bar, 1, 9)).join('')} />
      {critical && (
        <path className="span-critical" d={critical.map((bar) => box(window, bar, 11, 3)).join('')} />
      )}
      {errorsMs && (
        <path
          className="span-error"
          d={errorsMs.map((atMs) => box(window, { fromMs: atMs, lengthMs: 0 }, 0, 14, 4)).join('')}
        />
      )}
    </svg>
  )
})

/** Nothing is drawn outside the window: coordinates of a strong zoom are too large for some renderers. */
function box(
  window: TimeWindow,
  { fromMs, lengthMs }: Stretch,
  y: number,
  height: number,
  least = LEAST,
): string {
  const from = placeIn(window, fromMs) * WIDTH
  const to = placeIn(window, fromMs + lengthMs) * WIDTH
  if (to < 0 || from > WIDTH) return ''
  const left = Math.max(-10, Math.min(from, WIDTH - least))
  const width = Math.max(least, Math.min(to, WIDTH + 10) - left)
  return `M${round(left)} ${y}h${round(width)}v${height}h${round(-width)}z`
}

const round = (value: number): number => Math.round(value * 10) / 10
