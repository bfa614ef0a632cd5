/** The head of the waterfall: times that are round, and vitals where they were measured. */
import { formatDuration } from '../../../../format/format-duration.ts'
import { placeIn, ticksOf, type TimeWindow } from './time-window.ts'
import { labelled, type TimeMark } from './trace-marks.ts'

const TICKS = 5
/** Labels beyond this stand on the other side of their time. */
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
  [`From ${formatDuration(fromMs)} to ${formatDuration(toMs)}`, ...marks.map(({ text }) => text)].join(', ')

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
