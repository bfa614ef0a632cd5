/** The status page as those see it who change it: with the monitors behind its components, and how many are subscribed. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { incidentsOfPage, type StatusIncident } from './page-incidents.ts'

type Deps = Pick<QueryDeps, 'records'>
type WriteGrant = Grant<'org:write', 'org'>

export type StatusPageSettings = {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly isPublished: boolean
  readonly components: readonly {
    readonly id: number
    /** `uptime:7`, `cron:7:`, `cron:7:production`: as `StatusChoice.ref`. */
    readonly ref: string
    readonly name: string
    readonly group: string
  }[]
  /** The newest first, at most 50. */
  readonly incidents: readonly StatusIncident[]
  /** Confirmed. */
  readonly subscribers: number
}

/** Undefined: there is none. */
export async function statusPageSettings(
  { records }: Deps,
  { orgId }: WriteGrant,
): Promise<StatusPageSettings | undefined> {
  const page = await records
    .selectFrom('status_page')
    .select(['id', 'slug', 'title', 'description', 'is_published'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  if (!page) return undefined
  const [components, incidents, { subscribers }] = await Promise.all([
    records
      .selectFrom('status_component')
      .select(['id', 'name', 'group_name', 'environment', 'uptime_monitor_id', 'cron_monitor_id'])
      .where('page_id', '=', page.id)
      .orderBy('position')
      .orderBy('id')
      .execute(),
    incidentsOfPage(records, page.id, {}),
    records
      .selectFrom('status_subscriber')
      .select((eb) => eb.fn.countAll<number>().as('subscribers'))
      .where('page_id', '=', page.id)
      .where('confirmed_ms', 'is not', null)
      .executeTakeFirstOrThrow(),
  ])
  const { slug, title, description } = page
  return {
    slug,
    title,
    description,
    isPublished: page.is_published === 1,
    components: components.map((row) => ({
      id: row.id,
      ref:
        row.uptime_monitor_id === null
          ? cronRef(row.cron_monitor_id ?? 0, row.environment)
          : `uptime:${row.uptime_monitor_id}`,
      name: row.name,
      group: row.group_name,
    })),
    incidents,
    subscribers,
  }
}

const cronRef = (id: number, environment: string): string => `cron:${id}:${environment}`

export type StatusChoice = {
  readonly ref: string
  readonly kind: 'uptime' | 'cron'
  readonly project: string
  /** Internal. */
  readonly name: string
  /** Of one environment alone; empty: all. */
  readonly environment: string
}

const MOST = 1_000

/** What a component can be, by project and name; at most 1,000 of each kind. */
export async function statusChoices(
  { records }: Deps,
  { orgId }: WriteGrant,
): Promise<readonly StatusChoice[]> {
  const uptime = await records
    .selectFrom('uptime_monitor')
    .innerJoin('project', 'project.id', 'uptime_monitor.project_id')
    .select(['uptime_monitor.id', 'uptime_monitor.name', 'project.slug'])
    .where('project.org_id', '=', orgId)
    .orderBy('project.slug')
    .orderBy('uptime_monitor.name')
    .limit(MOST)
    .execute()
  const crons = await records
    .selectFrom('cron_monitor')
    .innerJoin('project', 'project.id', 'cron_monitor.project_id')
    .select(['cron_monitor.id', 'cron_monitor.name', 'project.slug'])
    .where('project.org_id', '=', orgId)
    .orderBy('project.slug')
    .orderBy('cron_monitor.name')
    .limit(MOST)
    .execute()
  const environments =
    crons.length === 0
      ? []
      : await records
          .selectFrom('cron_environment')
          .select(['monitor_id', 'environment'])
          .where(
            'monitor_id',
            'in',
            crons.map(({ id }) => id),
          )
          .orderBy('environment')
          .execute()
  const named = Map.groupBy(environments, ({ monitor_id: id }) => id)
  return [
    ...uptime.map(({ id, name, slug }): StatusChoice => ({
      ref: `uptime:${id}`,
      kind: 'uptime',
      project: slug,
      name,
      environment: '',
    })),
    ...crons.flatMap(({ id, name, slug }) => {
      const own = named.get(id) ?? []
      // With one environment, all of them are that one.
      const each = ['', ...(own.length > 1 ? own.map(({ environment }) => environment) : [])]
      return each.map((environment): StatusChoice => ({
        ref: cronRef(id, environment),
        kind: 'cron',
        project: slug,
        name,
        environment,
      }))
    }),
  ]
}
