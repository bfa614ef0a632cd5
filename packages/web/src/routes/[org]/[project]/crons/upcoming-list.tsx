import { ExactTime } from '../../../../ui/time.tsx'
import type { UpcomingRun } from './upcoming.server.ts'

/** Each by the clocks of the schedule's zone, and by the reader's. */
export function UpcomingList({
  runs,
  zone,
}: {
  readonly runs: readonly UpcomingRun[]
  readonly zone: string
}) {
  if (runs.length === 0) return <p className="muted">No run is to come.</p>
  return (
    <ol className="cron-upcoming">
      {runs.map(({ atMs, there }) => (
        <li key={atMs}>
          <span className="num">
            {there} {zone}
          </span>{' '}
          <span className="muted num">
            <ExactTime atMs={atMs} />
          </span>
        </li>
      ))}
    </ol>
  )
}
