/** Mean response times as stacked bars by phase; below, where checks failed. An SVG from the server; the table of last checks has numbers. */
import type { UptimeSeries } from '@sonde/queries'
import { ExactTime } from '../../../../../ui/time.tsx'

const PHASES = [
  ['dns', 'DNS'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['firstByte', 'First byte'],
  ['download', 'Download'],
] as const

const HEIGHT = 120
const BAR = 5
const GAP = 1
const FAILED = 6

export function PhaseChart({ series, period }: { readonly series: UptimeSeries; readonly period: string }) {
  const { checks, failed, phases, fromMs, stepMs } = series
  const totals = checks.map((_, index) =>
    PHASES.reduce((sum, [phase]) => sum + (phases[phase][index] ?? 0), 0),
  )
  const peak = Math.max(...totals)
  const all = checks.reduce((sum, count) => sum + count, 0)
  if (all === 0) return <p className="muted">No checks in {period}.</p>
  const width = checks.length * (BAR + GAP) - GAP
  const failures = failed.reduce((sum, count) => sum + count, 0)
  const label = `${all} checks in ${period}, ${failures} failed, at most ${Math.round(peak)} ms on average`
  return (
    <figure className="uptime-chart">
      <figcaption>
        <span className="uptime-legend">
          {PHASES.map(([phase, name]) => (
            <span key={phase} className={`uptime-key uptime-${phase}`}>
              {name}
            </span>
          ))}
          <span className="uptime-key uptime-down">Failed</span>
        </span>
        <span className="muted num">{Math.round(peak)} ms at most</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT + FAILED + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <title>{label}</title>
        {checks.map((_, index) => {
          let below = 0
          const x = index * (BAR + GAP)
          return (
            <g key={index}>
              {PHASES.map(([phase]) => {
                const size = peak === 0 ? 0 : ((phases[phase][index] ?? 0) / peak) * HEIGHT
                below += size
                return size === 0 ? null : (
                  <rect
                    key={phase}
                    className={`uptime-${phase}`}
                    x={x}
                    y={HEIGHT - below}
                    width={BAR}
                    height={size}
                  />
                )
              })}
              {(failed[index] ?? 0) > 0 && (
                <rect className="uptime-down" x={x} y={HEIGHT + 2} width={BAR} height={FAILED} />
              )}
            </g>
          )
        })}
      </svg>
      <p className="muted uptime-ends">
        <ExactTime atMs={fromMs} />
        <ExactTime atMs={fromMs + checks.length * stepMs} />
      </p>
    </figure>
  )
}
