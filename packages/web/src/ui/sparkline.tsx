import { formatExact } from '../format/format-count.ts'

export type SparklineProps = {
  readonly counts: readonly number[]
  /** `24 hours`, `14 days`. */
  readonly period: string
  /** `hour`, `day`. */
  readonly step: string
  readonly height?: number
  /** What is counted; `event` unless told. */
  readonly noun?: string
}

const BAR = 3
const GAP = 1

/** Events per step as bars. The busiest bar is full height; a bar that is not zero is never invisible. */
export function Sparkline({ counts, period, step, height = 24, noun = 'event' }: SparklineProps) {
  const peak = Math.max(...counts, 0)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const width = counts.length * (BAR + GAP) - GAP
  const label =
    total === 0
      ? `No ${noun}s in ${period}`
      : `${formatExact(total)} ${total === 1 ? noun : `${noun}s`} in ${period}, peak ${formatExact(peak)} per ${step}`
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {counts.map((count, index) => {
        const size = count === 0 ? 1 : Math.max(2, (count / peak) * height)
        return (
          <rect
            key={index}
            className={count === 0 ? 'sparkline-none' : undefined}
            x={index * (BAR + GAP)}
            y={height - size}
            width={BAR}
            height={size}
          />
        )
      })}
    </svg>
  )
}
