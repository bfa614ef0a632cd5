/**
 * Which service asks which, and which stores, queues and hosts they ask: from roots of services whose parent is a span of
 * another one, within the time shown. docs/service-map.md
 */
import type { Grant } from '@sonde/access'
import { inProjects } from '@sonde/stores'
import type { PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { callRows, type CallRows, type ServiceKey, type StoreRow } from './call-rows.ts'
import { createTally, type MapFigures, type Tally } from './map-figures.ts'

export type MapNodeKind = 'service' | 'database' | 'cache' | 'queue' | 'host'
export type MapNode = MapFigures & {
  readonly id: string
  readonly kind: MapNodeKind
  readonly name: string
  /** Of services. */
  readonly platform: string
  /** Its project, where it has but one. */
  readonly project: string | undefined
  /** What finds its spans in Explore. */
  readonly query: string
}
export type MapEdge = MapFigures & {
  readonly from: string
  readonly to: string
  readonly query: string
}
export type ServiceMap = {
  readonly nodes: readonly MapNode[]
  readonly edges: readonly MapEdge[]
  /** One of so many traces was read, and counted up. */
  readonly oneIn: number
  readonly isCut: boolean
  /** Roots whose caller is not stored. */
  readonly unknownCallers: number
  /** Nodes with the least traffic that are not shown. */
  readonly leftOut: number
}

/** More are no picture any more. */
const MAX_NODES = 80

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

/** Throws `ExploreError` for more than may be read. */
export async function serviceMap(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
): Promise<ServiceMap> {
  const [rows, projects] = await Promise.all([
    callRows(deps, grant, filter),
    deps.records.selectFrom('project').select(['id', 'slug']).where(inProjects(grant)).execute(),
  ])
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  return mapOf(rows, (id) => slugs.get(id) ?? String(id), (filter.toMs - filter.fromMs) / 60_000)
}

type Drawn = {
  readonly node: Omit<MapNode, keyof MapFigures>
  readonly projects: Set<string>
  readonly tally: Tally
}
type Line = { readonly from: string; readonly to: string; readonly query: string; readonly tally: Tally }

/** Linear in the rows: each span is looked up by its id once, and no chain of parents is walked. */
export function mapOf(
  { calls, stores, oneIn, isCut }: CallRows,
  slugOf: (projectId: number) => string,
  minutes: number,
): ServiceMap {
  const nodes = new Map<string, Drawn>()
  const lines = new Map<string, Line>()
  const draw = (node: Omit<MapNode, keyof MapFigures | 'project'>, project: string): Drawn => {
    const known = nodes.get(node.id) ?? {
      node: { ...node, project: undefined },
      projects: new Set<string>(),
      tally: createTally(),
    }
    known.projects.add(project)
    nodes.set(node.id, known)
    return known
  }
  const serviceOf = (key: ServiceKey, platform = ''): Drawn => {
    const slug = slugOf(key.projectId)
    const name = key.service || slug
    const query = key.service === '' ? `project:${quoted(slug)}` : `service.name:${quoted(key.service)}`
    return draw({ id: `service ${name}`, kind: 'service', name, platform, query }, slug)
  }
  const line = (from: Drawn, to: Drawn, more: string): Tally => {
    const key = JSON.stringify([from.node.id, to.node.id])
    const known = lines.get(key) ?? {
      from: from.node.id,
      to: to.node.id,
      query: `${from.node.query} ${more}`,
      tally: createTally(),
    }
    lines.set(key, known)
    return known.tally
  }

  const callers = new Map(calls.map((row) => [row.trace + row.id, row]))
  const answered = new Set<string>()
  let unknownCallers = 0
  for (const row of calls) {
    if (row.root === 1) {
      const own = serviceOf(row, row.platform)
      own.tally.add(row)
      const caller = row.parent === '' ? undefined : callers.get(row.trace + row.parent)
      if (row.parent !== '' && !caller && row.taken === 0) unknownCallers += row.weight * oneIn
      if (caller) answered.add(row.trace + row.parent)
      const asking = caller && serviceOf(caller, caller.platform)
      // What came through a queue is drawn as such, below.
      if (asking && asking.node.id !== own.node.id && row.target === '')
        line(asking, own, 'span.op:http.client*').add(row)
    }
    if (row.target !== '' && row.taken === 1) {
      const queue = draw(queueNode(row.target), slugOf(row.projectId))
      line(queue, serviceOf(row, row.platform), 'span.op:queue*').add(row)
    }
  }
  for (const row of calls) {
    if (row.root === 1 || row.taken === 1 || row.target === '' || answered.has(row.trace + row.id)) continue
    const host = draw(
      {
        id: `host ${row.target}`,
        kind: 'host',
        name: row.target,
        platform: '',
        query: `server.address:${quoted(row.target)}`,
      },
      slugOf(row.projectId),
    )
    host.tally.add(row)
    line(serviceOf(row, row.platform), host, `server.address:${quoted(row.target)}`).add(row)
  }
  for (const row of stores) {
    const store = draw(storeNode(row), slugOf(row.projectId))
    store.tally.addMany(row)
    line(serviceOf(row), store, storeNode(row).query).addMany(row)
  }
  return finished({ nodes, lines, oneIn, isCut, unknownCallers }, minutes)
}

const queueNode = (name: string) => ({
  id: `queue ${name}`,
  kind: 'queue' as const,
  name,
  platform: '',
  query: `messaging.destination.name:${quoted(name)}`,
})

function storeNode({ kind, system, target }: StoreRow) {
  if (kind === 'queue') return queueNode(target || system || 'queue')
  const name = [system, target].filter((part) => part !== '').join(' ') || kind
  const query = kind === 'cache' ? 'span.op:[cache*,db.redis*]' : 'span.op:db*'
  return { id: `${kind} ${name}`, kind, name, platform: system, query }
}

const quoted = (value: string): string => `"${value.replace(/[\\"*]/g, '\\$&')}"`

type Collected = Pick<ServiceMap, 'oneIn' | 'isCut' | 'unknownCallers'> & {
  readonly nodes: ReadonlyMap<string, Drawn>
  readonly lines: ReadonlyMap<string, Line>
}

function finished({ nodes, lines, oneIn, isCut, unknownCallers }: Collected, minutes: number): ServiceMap {
  const all = [...nodes.values()].map(({ node, projects, tally }) => {
    const [project, ...others] = projects
    return { ...node, project: others.length === 0 ? project : undefined, ...tally.figures(oneIn, minutes) }
  })
  const shown = all
    .toSorted((a, b) => rankOf(b) - rankOf(a) || b.count - a.count || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_NODES)
  const ids = new Set(shown.map(({ id }) => id))
  const edges = [...lines.values()]
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
    .map(({ tally, ...edge }) => ({ ...edge, ...tally.figures(oneIn, minutes) }))
    .toSorted((a, b) => b.count - a.count || (a.from + a.to < b.from + b.to ? -1 : 1))
  const leftOut = all.length - shown.length
  return { nodes: shown, edges, oneIn, isCut, unknownCallers: Math.round(unknownCallers), leftOut }
}

/** Services come before what they ask. */
const rankOf = ({ kind }: MapNode): number => (kind === 'service' ? 1 : 0)
