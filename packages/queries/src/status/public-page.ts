/**
 * What a status page shows to everybody: literal lists, so that nothing new of a monitor becomes public by itself. Names, addresses
 * and projects of monitors, who posted, and who is subscribed are not in them.
 */
import type { Grant } from '@sonde/access'
import { createBoundedMap } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { componentDays, type StatusDay } from './component-days.ts'
import {
  indicatorOf,
  measuredStates,
  stateOf,
  type StatusComponentState,
  type StatusIndicator,
} from './component-state.ts'
import { incidentsOfPage, type StatusIncident } from './page-incidents.ts'

type Deps = Pick<QueryDeps, 'records' | 'clock'>

export type StatusComponent = {
  readonly id: number
  readonly name: string
  /** Empty: in none. */
  readonly group: string
  readonly state: StatusComponentState
  /** 90, today last. */
  readonly days: readonly StatusDay[]
}

export type StatusPage = {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly indicator: StatusIndicator
  /** In their order; those of a group stand together. */
  readonly components: readonly StatusComponent[]
  /** Not over; the newest first. */
  readonly incidents: readonly StatusIncident[]
  /** Planned or going on; the next first. */
  readonly maintenance: readonly StatusIncident[]
}

type PageRow = {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly updated_ms: number
}

const selectPage = (records: Records) =>
  records.selectFrom('status_page').select(['id', 'slug', 'title', 'description', 'updated_ms'])

const publishedPage = ({ records }: Pick<QueryDeps, 'records'>, slug: string): Promise<PageRow | undefined> =>
  selectPage(records).where('slug', '=', slug).where('is_published', '=', 1).executeTakeFirst()

/** Strangers may ask as often as they like: what is shown is read again after so long. */
const READ_AGAIN_MS = 2_000
const MAX_PAGES = 1_000
type Read = { readonly atMs: number; readonly page: Promise<StatusPage> }
const caches = new WeakMap<Records, ReturnType<typeof createBoundedMap<string, Read>>>()

/** Needs no grant: it is public. Undefined: it is not published, or not there. */
export async function publicStatusPage(deps: Deps, slug: string): Promise<StatusPage | undefined> {
  const row = await publishedPage(deps, slug)
  if (!row) return undefined
  let cache = caches.get(deps.records)
  if (!cache) caches.set(deps.records, (cache = createBoundedMap(MAX_PAGES)))
  const key = `${row.id} ${row.updated_ms}`
  const nowMs = deps.clock.nowMs()
  const known = cache.get(key)
  if (known && nowMs - known.atMs < READ_AGAIN_MS) return known.page
  const page = shownPage(deps, row)
  cache.set(key, { atMs: nowMs, page })
  // What failed is not kept.
  page.catch(() => cache.set(key, { atMs: 0, page }))
  return page
}

/** As it would be shown, published or not. Undefined: the organization has none. */
export async function draftStatusPage(
  deps: Deps,
  grant: Grant<'org:write', 'org'>,
): Promise<StatusPage | undefined> {
  const row = await selectPage(deps.records).where('org_id', '=', grant.orgId).executeTakeFirst()
  return row && shownPage(deps, row)
}

async function shownPage({ records, clock }: Deps, page: PageRow): Promise<StatusPage> {
  const rows = await records
    .selectFrom('status_component')
    .select(['id', 'name', 'group_name as group', 'environment'])
    .select(['uptime_monitor_id as uptimeId', 'cron_monitor_id as cronId'])
    .where('page_id', '=', page.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const open = await incidentsOfPage(records, page.id, { isOpen: true })
  const [days, measured] = await Promise.all([
    componentDays(records, rows, clock.nowMs()),
    measuredStates(records, rows),
  ])
  const components = rows.map(({ id, name, group }): StatusComponent => {
    const about = open.filter(({ components: affected }) => affected.some((each) => each.id === id))
    return { id, name, group, state: stateOf(measured.get(id) ?? 'unknown', about), days: days.get(id) ?? [] }
  })
  const { slug, title, description } = page
  return {
    slug,
    title,
    description,
    indicator: indicatorOf(
      components.map(({ state }) => state),
      open,
    ),
    components: byGroup(components),
    incidents: open.filter(({ kind }) => kind === 'incident'),
    maintenance: open
      .filter(({ kind }) => kind === 'maintenance')
      .toSorted((one, other) => one.startedMs - other.startedMs),
  }
}

/** Groups stand where their first component does; those without a group first come as they are. */
const byGroup = (components: readonly StatusComponent[]): readonly StatusComponent[] =>
  [...Map.groupBy(components, ({ id, group }) => (group === '' ? `${id}` : `group ${group}`)).values()].flat()

export type StatusHistory = {
  readonly slug: string
  readonly title: string
  /** The newest first. */
  readonly incidents: readonly StatusIncident[]
  /** Where the next page begins; undefined: it is the last. */
  readonly before: number | undefined
}

const HISTORY_PAGE = 30

/** All that was posted, also what goes on. `before`: older than this incident. Undefined like `publicStatusPage`. */
export async function publicStatusHistory(
  deps: Deps,
  slug: string,
  { before }: { readonly before?: number | undefined } = {},
): Promise<StatusHistory | undefined> {
  const page = await publishedPage(deps, slug)
  if (!page) return undefined
  const rows = await incidentsOfPage(deps.records, page.id, { before, limit: HISTORY_PAGE + 1 })
  const incidents = rows.slice(0, HISTORY_PAGE)
  return {
    slug: page.slug,
    title: page.title,
    incidents,
    before: rows.length > HISTORY_PAGE ? incidents.at(-1)?.id : undefined,
  }
}
