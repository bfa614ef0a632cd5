/** The last runs of an environment as blocks, the newest at the right. What is not right differs in height, not in colour alone. */
import type { CronRunStatus } from '@sonde/stores'
import { countWords, RUN_STATUSES } from './cron-words.ts'

const BLOCK = 4
const GAP = 1
const HEIGHT = 20
/** How far down the block of a status begins. */
const TOPS: Readonly<Record<CronRunStatus, number>> = {
  ok: 8,
  error: 0,
  timeout: 0,
  missed: 3,
  in_progress: 12,
  unknown: 16,
}

export function RunLine({
  runs,
  places,
}: {
  readonly runs: readonly CronRunStatus[]
  readonly places: number
}) {
  if (runs.length === 0) return <span className="muted">No runs yet</span>
  const label = `Last ${runs.length === 1 ? 'run' : `${runs.length} runs`}: ${countWords(runs)}`
  const first = places - runs.length
  return (
    <svg
      className="cron-line"
      viewBox={`0 0 ${places * (BLOCK + GAP) - GAP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {/* A path for each status: a list of 200 monitors has thousands of runs. */}
      {RUN_STATUSES.filter((status) => runs.includes(status)).map((status) => (
        <path
          key={status}
          className={`cron-${status}`}
          d={runs
            .map((each, at) =>
              each === status
                ? `M${(first + at) * (BLOCK + GAP)} ${TOPS[status]}h${BLOCK}V${HEIGHT}h-${BLOCK}z`
                : '',
            )
            .join('')}
        />
      ))}
    </svg>
  )
}
