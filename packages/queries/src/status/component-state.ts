/** What state the components of a status page are in now: by their monitors, and by what was posted. */
import type { Records, StatusImpact } from '@sonde/stores'
import type { ComponentSource } from './component-days.ts'

/** The words of Statuspage's API, which programs that read status pages know; `unknown`: nothing is measured. */
export type StatusComponentState =
  | 'operational'
  | 'degraded_performance'
  | 'partial_outage'
  | 'major_outage'
  | 'under_maintenance'
  | 'unknown'

/** By component, from what is measured alone. */
export async function measuredStates(
  records: Records,
  sources: readonly ComponentSource[],
): Promise<ReadonlyMap<number, StatusComponentState>> {
  const uptimeIds = sources.flatMap(({ uptimeId }) => uptimeId ?? [])
  const cronIds = sources.flatMap(({ cronId }) => cronId ?? [])
  const uptime =
    uptimeIds.length === 0
      ? []
      : await records
          .selectFrom('uptime_state')
          .select(['monitor_id', 'state', 'due_ms'])
          .where('monitor_id', 'in', uptimeIds)
          .execute()
  const crons =
    cronIds.length === 0
      ? []
      : await records
          .selectFrom('cron_environment')
          .innerJoin('cron_monitor', 'cron_monitor.id', 'cron_environment.monitor_id')
          .select(['cron_environment.monitor_id', 'cron_environment.environment', 'cron_environment.state'])
          .select(['cron_environment.failing_ms', 'cron_monitor.is_enabled'])
          .where('cron_environment.monitor_id', 'in', cronIds)
          .execute()
  const byMonitor = new Map(uptime.map((row) => [row.monitor_id, row]))
  return new Map(
    sources.map(({ id, uptimeId, cronId, environment }): [number, StatusComponentState] => {
      if (uptimeId !== null) {
        const row = byMonitor.get(uptimeId)
        if (!row || row.due_ms === null || row.state === 'new') return [id, 'unknown']
        return [id, row.state === 'down' ? 'major_outage' : 'operational']
      }
      const own = crons.filter(
        (row) =>
          row.monitor_id === cronId &&
          row.is_enabled === 1 &&
          (environment === '' || row.environment === environment),
      )
      if (own.some(({ failing_ms }) => failing_ms !== null)) return [id, 'partial_outage']
      return [id, own.some(({ state }) => state !== 'new') ? 'operational' : 'unknown']
    }),
  )
}

const OF_IMPACT: Readonly<Record<StatusImpact, StatusComponentState>> = {
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
}
/** The worst last. */
const ORDER: readonly StatusComponentState[] = [
  'unknown',
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
]

type Posted = {
  readonly kind: 'incident' | 'maintenance'
  readonly state: string
  readonly impact: StatusImpact
}

/** The worse of what is measured and what was posted about it; during maintenance that. `posted`: what is not over. */
export function stateOf(measured: StatusComponentState, posted: readonly Posted[]): StatusComponentState {
  if (posted.some(({ kind, state }) => kind === 'maintenance' && state === 'in_progress'))
    return 'under_maintenance'
  const states = posted
    .filter(({ kind }) => kind === 'incident')
    .map(({ impact }) => OF_IMPACT[impact])
    .concat(measured)
  return ORDER.findLast((state) => states.includes(state)) ?? 'unknown'
}

/** Of a whole page. */
export type StatusIndicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance' | 'unknown'

/** The worst of the components and of what was posted; `unknown`: nothing is measured, and nothing was posted. */
export function indicatorOf(
  components: readonly StatusComponentState[],
  posted: readonly Posted[],
): StatusIndicator {
  const open = posted.filter(({ kind }) => kind === 'incident').map(({ impact }) => impact)
  const is = (state: StatusComponentState, impact: StatusImpact): boolean =>
    components.includes(state) || open.includes(impact)
  if (is('major_outage', 'critical')) return 'critical'
  if (is('partial_outage', 'major')) return 'major'
  if (is('degraded_performance', 'minor')) return 'minor'
  const isUnderWay = posted.some(({ kind, state }) => kind === 'maintenance' && state === 'in_progress')
  if (isUnderWay || components.includes('under_maintenance')) return 'maintenance'
  return components.includes('operational') ? 'none' : 'unknown'
}
