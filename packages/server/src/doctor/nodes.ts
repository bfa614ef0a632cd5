/**
 * The nodes as the doctor of any of them sees them: who runs, who is missing since when, which versions there are, and which
 * role nobody has. One node alone is nothing to tell of: there its processes are shown.
 */
import type { Clock } from '@sonde/base'
import { NODE_MISSING_AFTER_MS, type Records } from '@sonde/stores'
import type { OperatorNode } from '@sonde/web/server'
import { ALL_ROLES } from '../modules.ts'
import type { NodeFigures } from './node-figures.ts'
import type { DoctorReport, PartReport } from './report.ts'

export type NodesLook = {
  /** By name; none where there is only one. */
  readonly nodes: readonly OperatorNode[]
  /** What is said of all of them, and what the app processes of the others say of themselves unless it is well. */
  readonly parts: readonly PartReport[]
}

/** `own`: the process that looks, which tells of its parts itself. */
export async function lookAtNodes(
  records: Records,
  { partitions = [] }: DoctorReport['log'],
  clock: Clock,
  own?: { readonly host: string; readonly pid: number },
): Promise<NodesLook> {
  const nowMs = clock.nowMs()
  const [rows, leases] = await Promise.all([
    records.selectFrom('node').selectAll().orderBy('node.name').execute(),
    records
      .selectFrom('job_lease')
      .select(['name', 'owner'])
      .where('name', 'like', 'log partition %')
      .where('expires_ms', '>', nowMs)
      .execute(),
  ])
  const found = rows.map((row) => {
    const figures = JSON.parse(row.figures) as NodeFigures
    const isMissing = nowMs - row.seen_ms > NODE_MISSING_AFTER_MS
    const owned = isMissing ? [] : partitionsOf(`${row.host} ${row.back_pid} `, leases)
    const ages = owned.map((partition) => partitions[partition]?.oldestAgeMs ?? 0)
    const node: OperatorNode = {
      name: row.name,
      roles: JSON.parse(row.roles) as string[],
      version: row.version,
      state: isMissing ? 'missing' : row.state,
      trouble: figures.trouble,
      startedMs: row.started_ms,
      seenMs: row.seen_ms,
      processes: figures.processes,
      partitions: owned,
      lagMs: Math.max(0, ...ages),
      freeBytes: figures.freeBytes,
      sizeBytes: figures.sizeBytes,
    }
    const isOwn = own !== undefined && row.host === own.host && row.back_pid === own.pid
    return { node, isOwn, parts: isMissing || isOwn ? [] : figures.parts }
  })
  const nodes = found.map(({ node }) => node)
  const others = found.flatMap(({ node, parts }) =>
    parts
      .filter(({ state }) => state !== 'ok')
      .map((part) => ({ ...part, name: `${part.name} of ${node.name}` })),
  )
  if (nodes.length === 0 || (nodes.length === 1 && found[0]?.isOwn)) return { nodes: [], parts: [] }
  return { nodes, parts: [nodesPart(nodes), ...others] }
}

const partitionsOf = (
  owner: string,
  leases: readonly { readonly name: string; readonly owner: string }[],
): readonly number[] =>
  leases
    .flatMap((lease) =>
      lease.owner.startsWith(owner) ? Number(/^log partition (\d+)$/.exec(lease.name)?.[1] ?? NaN) : [],
    )
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b)

/** The line of all of them. */
function nodesPart(nodes: readonly OperatorNode[]): PartReport {
  const missing = nodes.filter(({ state }) => state === 'missing')
  const live = nodes.filter(({ state }) => state !== 'missing')
  const troubled = live.filter(({ state }) => state === 'not ready')
  const nobody = ALL_ROLES.filter((role) => !live.some(({ roles }) => roles.includes(role)))
  const troubles = [
    ...missing.map(
      ({ name, roles, seenMs }) =>
        `${name} (${roles.join(', ')}) is missing since ${minuteOf(seenMs)}: start it again, or wait until its line goes, a day after that`,
    ),
    ...troubled.map(({ name, trouble }) => `${name} is not ready: ${trouble}`),
    ...(live.length > 0 && nobody.length > 0 ? [`no node has the role ${nobody.join(', ')}`] : []),
  ]
  const text = [summary(live), versions(live), ...troubles].filter((part) => part !== '').join('. ')
  return { name: 'nodes', state: troubles.length === 0 ? 'ok' : 'degraded', detail: text }
}

function summary(live: readonly OperatorNode[]): string {
  if (live.length === 0) return 'none runs'
  const roles = ALL_ROLES.map(
    (role) => [role, live.filter((node) => node.roles.includes(role)).length] as const,
  )
  const counts = roles.filter(([, count]) => count > 0).map(([role, count]) => `${count} ${role}`)
  return `${live.length} running (${counts.join(', ')})`
}

/** During a rolling upgrade there are two for a while; that is as it should be. */
function versions(live: readonly OperatorNode[]): string {
  const names = Object.groupBy(live, ({ version }) => version)
  const all = Object.entries(names)
  if (all.length < 2) return ''
  return `different versions: ${all.map(([version, list = []]) => `${version} on ${list.map(({ name }) => name).join(', ')}`).join('; ')}`
}

/** In words of the doctor, which has no zone of a reader. */
const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
