/** The ClickHouse servers as a line of the doctor: what they say of themselves, and what to do. */
import type { TelemetryNode, TelemetryServers } from '@sonde/stores'
import type { PartReport, PartState } from './report.ts'

const GB = 1_000_000_000
/** Merging tables needs room for a copy of the parts that it merges. */
const LITTLE_SHARE = 0.05
const LATE_SEC = 300

type Finding = { readonly state: Exclude<PartState, 'ok'>; readonly says: string }

export function clickhousePart(servers: TelemetryServers): PartReport {
  const findings = [...silentShards(servers), ...servers.nodes.flatMap(nodeFindings), ...addedShards(servers)]
  const state = findings.some((one) => one.state === 'down') ? 'down' : (findings[0]?.state ?? 'ok')
  const said = findings.map(({ says }) => says).join(' ')
  return { name: 'clickhouse', state, detail: said === '' ? about(servers) : `${about(servers)}. ${said}` }
}

function about({ address, version, cluster, nodes }: TelemetryServers): string {
  const at = `${address}, version ${version}`
  const answering = nodes.filter(({ answers }) => answers)
  const fullest = answering
    .filter(({ sizeBytes }) => sizeBytes > 0)
    .toSorted((a, b) => a.freeBytes / a.sizeBytes - b.freeBytes / b.sizeBytes)[0]
  const room = fullest === undefined ? '' : `, ${gb(fullest.freeBytes)} of ${gb(fullest.sizeBytes)} free`
  if (cluster === undefined) return at + room
  const shards = new Set(nodes.map(({ shard }) => shard)).size
  const delaySec = Math.max(0, ...answering.map((node) => node.delaySec))
  return `${at}, cluster ${cluster}: ${count(shards, 'shard')}, ${answering.length} of ${count(nodes.length, 'server')} answering, replicas ${delaySec} s behind${room}${fullest === undefined ? '' : ` on ${fullest.name}`}`
}

/** A shard is gone when none of its servers answers. */
function silentShards({ nodes }: TelemetryServers): Finding[] {
  return [...Map.groupBy(nodes, ({ shard }) => shard)].flatMap(([shard, members]): Finding[] => {
    const silent = members.filter(({ answers }) => !answers).map(({ name }) => name)
    if (silent.length === 0) return []
    const names = silent.join(', ')
    if (silent.length < members.length)
      return [
        {
          state: 'degraded',
          says: `${names} of shard ${shard} does not answer; another server of the shard does its work. Start it again: it then catches up by itself.`,
        },
      ]
    return [
      {
        state: 'down',
        says: `Shard ${shard} (${names}) does not answer: what its projects have stored cannot be shown, and new data waits in the log. Start it again; nothing acknowledged is lost.`,
      },
    ]
  })
}

function nodeFindings({
  name,
  answers,
  isReadOnly,
  delaySec,
  freeBytes,
  sizeBytes,
}: TelemetryNode): Finding[] {
  if (!answers) return []
  return [
    ...(isReadOnly
      ? [`${name} is read-only, because it does not reach ClickHouse Keeper: check that Keeper runs.`]
      : []),
    ...(delaySec > LATE_SEC
      ? [`${name} is ${delaySec} s behind: check its network, its disk and system.replication_queue.`]
      : []),
    ...(sizeBytes > 0 && freeBytes < sizeBytes * LITTLE_SHARE
      ? [`The disk of ${name} is nearly full: free space, or lower SONDE_RETENTION_DAYS.`]
      : []),
  ].map((says) => ({ state: 'degraded', says }))
}

function addedShards({ shardsAddedMs }: TelemetryServers): Finding[] {
  if (shardsAddedMs === undefined) return []
  const day = new Date(shardsAddedMs).toISOString().slice(0, 10)
  return [
    {
      state: 'degraded',
      says: `Shards were added on ${day}: until older rows reach the retention, every query asks all shards. Nothing is to be done.`,
    },
  ]
}

const gb = (bytes: number): string => `${(bytes / GB).toFixed(1)} GB`
const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`
