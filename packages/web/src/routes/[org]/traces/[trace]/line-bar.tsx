/** The part of a line that lies in time: its bar, when the trace waited for it, where errors happened. */
import { memo } from 'react'
import { placeIn, type TimeWindow } from './time-window.ts'

const WIDTH = 1000
/** A short span is still seen. */
const LEAST = 2

export type Stretch = { readonly fromMs: number; readonly lengthMs: number }
type Props = {
  readonly window: TimeWindow
  /** One for a span, several for a group. */
  readonly bars: readonly Stretch[]
  readonly className: string
  readonly waited?: readonly Stretch[] | undefined
  readonly errorsMs?: readonly number[] | undefined
}

export const LineBar = memo(function LineBar({ window, bars, className, waited, errorsMs }: Props) {
  return (
    <svg className="span-bar" viewBox={`0 0 ${WIDTH} 14`} preserveAspectRatio="none" aria-hidden="true">
      <path className={className} d={bars.map((bar) => box(window, bar, 1, 9)).join('')} />
      {waited && <path className="span-waited" d={waited.map((bar) => box(window, bar, 11, 3)).join('')} />}
      {errorsMs && (
        <path
          className="span-error"
          d={errorsMs.map((atMs) => box(window, { fromMs: atMs, lengthMs: 0 }, 0, 14, 4)).join('')}
        />
      )}
    </svg>
  )
})

/** What lies outside of the window is not drawn: coordinates of a strong zoom are too large for some renderers. */
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
