/** Monitors with their runs as records: what check-ins come to, and what the screens of monitors read. */
import type { Records } from '@sonde/stores'
import { NOW_MS } from '../../packages/queries/test/harness.ts'

const DAY_MS = 86_400_000
const AT_ONCE = 500
const MONITORS = 200
/** As many as are kept of a monitor for two weeks of a run each minute, at most. */
const MOST_RUNS = 200_000

/** What the screens of monitors read: the records that the check-ins came to. */
export async function fillRuns(records: Records, projectId: number, checkIns: number): Promise<void> {
  const common = { project_id: projectId, config: '{}', actions: '[]', owner: '', created_by: '' }
  for (let id = 1; id <= MONITORS; id++) {
    const times = { created_ms: NOW_MS, updated_ms: NOW_MS }
    await records
      .insertInto('cron_monitor')
      .values({ ...common, ...times, id, slug: `job-${id}`, name: `job-${id}`, is_enabled: 1, is_muted: 0 })
      .execute()
    await records
      .insertInto('cron_environment')
      .values({
        id,
        monitor_id: id,
        environment: 'production',
        state: 'ok',
        since_ms: NOW_MS,
        next_ms: NOW_MS,
        due_ms: NOW_MS,
        checked_ms: NOW_MS,
        failures: 0,
        successes: 1,
        failing_ms: null,
        incident_id: null,
      })
      .execute()
  }
  const runs = Math.min(MOST_RUNS, Math.floor(checkIns / 8))
  for (let first = 0; first < runs; first += AT_ONCE)
    await records
      .insertInto('cron_run')
      .values(
        Array.from({ length: Math.min(AT_ONCE, runs - first) }, (_, at) => {
          const number = first + at
          const startedMs = Math.floor(NOW_MS - 14 * DAY_MS * (1 - (number + 1) / runs))
          return {
            environment_id: 1 + (number % MONITORS),
            check_in_id: number.toString(16).padStart(32, '0'),
            status: number % 9 === 0 ? 'error' : 'ok',
            started_ms: startedMs,
            ended_ms: startedMs + 4_000,
            duration_ms: 4_000,
            timeout_ms: null,
            expected_ms: startedMs,
            release: 'shop@1.7.0',
            trace_id: '',
          } as const
        }),
      )
      .execute()
}
