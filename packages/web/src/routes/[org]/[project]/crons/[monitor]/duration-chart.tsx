/** How long the last runs took, a bar each; those without a duration stand below the line. An SVG from the server; the table has numbers. */
import type { DataOf } from '@sonde/router'
import { formatDuration } from '../../../../../format/format-time.ts'
import { ExactTime } from '../../../../../ui/time.tsx'
import { RUN_STATUSES, RUN_WORDS } from '../cron-words.ts'
import type { load } from './page.server.ts'

type Run = DataOf<typeof load>['durations'][number]

const HEIGHT = 120
const BAR = 6
const GAP = 2
/** A bar that is not zero is never invisible. */
const LEAST = 2
const MARK = 6

export function DurationChart({ runs }: { readonly runs: readonly Run[] }) {
  const known = runs.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
  const [first] = runs
  const last = runs.at(-1)
  if (!first || !last) return <p className="muted">No runs yet.</p>
  const peak = Math.max(1, ...known)
  const middle = known.toSorted((a, b) => a - b)[Math.floor(known.length / 2)]
  const label =
    middle === undefined
      ? `${runs.length} runs without a duration`
      : `Durations of ${runs.length} runs: median ${formatDuration(middle)}, at most ${formatDuration(peak)}`
  const places = Math.max(runs.length, 20)
  const shown = RUN_STATUSES.filter((status) => runs.some((run) => run.status === status))
  return (
    <figure className="cron-chart">
      <figcaption>
        <span className="cron-legend">
          {shown.map((status) => (
            <span key={status} className={`cron-key cron-${status}`}>
              {RUN_WORDS[status]}
            </span>
          ))}
        </span>
        {middle !== undefined && (
          <span className="muted num">
            median {formatDuration(middle)}, at most {formatDuration(peak)}
          </span>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${places * (BAR + GAP) - GAP} ${HEIGHT + MARK + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <title>{label}</title>
        {runs.map(({ id, status, durationMs }, index) => {
          const x = index * (BAR + GAP)
          if (durationMs === null)
            return (
              <rect key={id} className={`cron-${status}`} x={x} y={HEIGHT + 2} width={BAR} height={MARK} />
            )
          const size = Math.max(LEAST, (durationMs / peak) * HEIGHT)
          return (
            <rect key={id} className={`cron-${status}`} x={x} y={HEIGHT - size} width={BAR} height={size} />
          )
        })}
      </svg>
      <p className="muted cron-ends">
        <ExactTime atMs={first.startedMs} />
        {runs.length > 1 && <ExactTime atMs={last.startedMs} />}
      </p>
    </figure>
  )
}
