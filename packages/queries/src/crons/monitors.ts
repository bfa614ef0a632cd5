/** Monitors of scheduled jobs with their environments and last day: records alone. */
import type { AnyGrant, Grant } from '@sonde/access'
import type { CronRunStatus, CronStateWord, Records } from '@sonde/stores'
import { sql } from 'kysely'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records' | 'clock'>
type ReadGrant = Grant<'alert:read', 'org' | 'project'> & AnyGrant

/** Of an hour: the worst that a run came to, and how many there were; undefined: none. */
export type CronDay = readonly ({ readonly status: CronRunStatus; readonly runs: number } | undefined)[]

export type CronEnvironment = {
  readonly id: number
  readonly name: string
  readonly state: CronStateWord
  readonly sinceMs: number
  /** Null: no run is expected. */
  readonly nextMs: number | null
  readonly dueMs: number | null
  readonly checkedMs: number | null
  readonly isFailing: boolean
  readonly isRunning: boolean
  readonly incidentId: number | null
  /** The last 24 hours, the oldest first. */
  readonly day: CronDay
}

export type CronMonitor = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly project: { readonly id: number; readonly slug: string; readonly name: string }
  /** JSON of `CronConfig`. */
  readonly config: string
  /** JSON of actions. */
  readonly actions: string
  readonly owner: string
  readonly isEnabled: boolean
  readonly isMuted: boolean
  readonly createdMs: number
  readonly environments: readonly CronEnvironment[]
}

const HOUR_MS = 3_600_000
const HOURS = 24
const MOST = 1_000

/** By name; at most 200 of a project, and 1,000 of an organization. */
export async function cronMonitors(
  deps: Deps,
  grant: ReadGrant,
  input: { readonly slug?: string | undefined; readonly id?: number | undefined } = {},
): Promise<readonly CronMonitor[]> {
  const projectIds = await projectIdsOf(deps, grant)
  if (projectIds.length === 0) return []
  const { slug, id } = input
  const rows = await deps.records
    .selectFrom('cron_monitor')
    .innerJoin('project', 'project.id', 'cron_monitor.project_id')
    .selectAll('cron_monitor')
    .select(['project.slug as project_slug', 'project.name as project_name'])
    .where('cron_monitor.project_id', 'in', projectIds)
    .$if(slug !== undefined, (query) => query.where('cron_monitor.slug', '=', slug ?? ''))
    .$if(id !== undefined, (query) => query.where('cron_monitor.id', '=', id ?? 0))
    .orderBy('cron_monitor.name')
    .orderBy('cron_monitor.id')
    .limit(MOST)
    .execute()
  const environments = await environmentsOf(
    deps.records,
    rows.map((row) => row.id),
    deps.clock.nowMs(),
  )
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    project: { id: row.project_id, slug: row.project_slug, name: row.project_name },
    config: row.config,
    actions: row.actions,
    owner: row.owner,
    isEnabled: row.is_enabled === 1,
    isMuted: row.is_muted === 1,
    createdMs: row.created_ms,
    environments: environments.get(row.id) ?? [],
  }))
}

/** The worse first. */
const WORST: readonly CronRunStatus[] = ['error', 'missed', 'timeout', 'unknown', 'in_progress', 'ok']

async function environmentsOf(
  records: Records,
  monitorIds: readonly number[],
  nowMs: number,
): Promise<ReadonlyMap<number, readonly CronEnvironment[]>> {
  if (monitorIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('cron_environment')
    .selectAll()
    .where('monitor_id', 'in', monitorIds)
    .orderBy('environment')
    .execute()
  const ids = rows.map(({ id }) => id)
  const firstHour = Math.floor(nowMs / HOUR_MS) - HOURS + 1
  const hour = sql<number>`started_ms / ${sql.lit(HOUR_MS)}`
  const counted =
    ids.length === 0
      ? []
      : await records
          .selectFrom('cron_run')
          .select(['environment_id', 'status', hour.as('hour')])
          .select((eb) => eb.fn.countAll<number>().as('runs'))
          .where('environment_id', 'in', ids)
          .where('started_ms', '>=', firstHour * HOUR_MS)
          .groupBy(['environment_id', 'status', hour])
          .execute()
  const byEnvironment = Map.groupBy(counted, ({ environment_id }) => environment_id)
  const running = new Set(
    ids.length === 0
      ? []
      : (
          await records
            .selectFrom('cron_run')
            .select('environment_id')
            .distinct()
            .where('timeout_ms', 'is not', null)
            .where('environment_id', 'in', ids)
            .execute()
        ).map(({ environment_id: id }) => id),
  )
  const shown = rows.map((row) => {
    const own = Map.groupBy(byEnvironment.get(row.id) ?? [], (each) => each.hour - firstHour)
    const day = Array.from({ length: HOURS }, (_, at) => {
      const runs = own.get(at)
      const status = runs && WORST.find((worst) => runs.some((each) => each.status === worst))
      return status && { status, runs: (runs ?? []).reduce((sum, each) => sum + each.runs, 0) }
    })
    const environment: CronEnvironment = {
      id: row.id,
      name: row.environment,
      state: row.state,
      sinceMs: row.since_ms,
      nextMs: row.next_ms,
      dueMs: row.due_ms,
      checkedMs: row.checked_ms,
      isFailing: row.failing_ms !== null,
      isRunning: running.has(row.id),
      incidentId: row.incident_id,
      day,
    }
    return { monitorId: row.monitor_id, environment }
  })
  return new Map(
    [...Map.groupBy(shown, ({ monitorId }) => monitorId)].map(([id, own]) => [
      id,
      own.map(({ environment }) => environment),
    ]),
  )
}

const MAX_NAMES = 100

/** Environments from which check-ins came, by name, at most 100: of `cron_environment_by_name` of each monitor. */
export async function cronEnvironmentNames(
  deps: Pick<Deps, 'records'>,
  grant: ReadGrant,
): Promise<readonly string[]> {
  const projectIds = await projectIdsOf(deps, grant)
  if (projectIds.length === 0) return []
  const rows = await deps.records
    .selectFrom('cron_environment')
    .innerJoin('cron_monitor', 'cron_monitor.id', 'cron_environment.monitor_id')
    .select('cron_environment.environment')
    .distinct()
    .where('cron_monitor.project_id', 'in', projectIds)
    .orderBy('cron_environment.environment')
    .limit(MAX_NAMES)
    .execute()
  return rows.map(({ environment }) => environment)
}
