/** What the servers say of themselves, for the doctor. */
import { databaseOf, serverAddress, type ServerQuery } from './await-server.ts'
import type { ClusterNode, Placement } from './cluster.ts'

export type TelemetryServers = {
  readonly address: string
  readonly version: string
  readonly cluster?: string
  /** Rows of before then may lie on another shard than their project's. */
  readonly shardsAddedMs?: number
  readonly nodes: readonly TelemetryNode[]
}
/** A server. What one that does not answer would have said is 0. */
export type TelemetryNode = {
  readonly shard: number
  readonly name: string
  readonly answers: boolean
  /** Of the disk with the least free share. */
  readonly freeBytes: number
  readonly sizeBytes: number
  /** How far its copies are behind those of its shard's other servers. */
  readonly delaySec: number
  /** It has lost ClickHouse Keeper. */
  readonly isReadOnly: boolean
}

type Cluster = {
  readonly name: string
  readonly nodes: readonly ClusterNode[]
  readonly placement: Placement
}
type Row = {
  readonly node: number
  readonly free: number
  readonly size: number
  readonly delay: number
  readonly readOnly: number
}

export async function describeServers(
  query: ServerQuery,
  url: string,
  cluster: Cluster | undefined,
): Promise<TelemetryServers> {
  const [own] = await query<{ version: string }>('SELECT version() AS version')
  const from = (table: string): string =>
    cluster === undefined ? `system.${table}` : `clusterAllReplicas({cluster:String}, system.${table})`
  const node = cluster === undefined ? '1' : '_shard_num'
  const rows = await query<Row>(
    `SELECT node, max(free) AS free, max(size) AS size, max(delay) AS delay, max(read_only) AS readOnly FROM (
       SELECT toUInt32(${node}) AS node, argMin(unreserved_space, unreserved_space / total_space) AS free,
         argMin(total_space, unreserved_space / total_space) AS size, toUInt64(0) AS delay, toUInt8(0) AS read_only
       FROM ${from('disks')} WHERE is_remote = 0 AND total_space > 0 GROUP BY node
       UNION ALL
       SELECT toUInt32(${node}) AS node, toUInt64(0), toUInt64(0), max(absolute_delay), max(is_readonly)
       FROM ${from('replicas')} WHERE database = {database:String} GROUP BY node
     ) GROUP BY node SETTINGS skip_unavailable_shards = 1`,
    { database: databaseOf(url), ...(cluster && { cluster: cluster.name }) },
  )
  const found = new Map(rows.map((row) => [row.node, row]))
  const nodes = cluster?.nodes ?? [{ shard: 1, name: new URL(url).host }]
  const since = cluster?.placement.sinceMs ?? 0
  return {
    address: serverAddress(url),
    version: own?.version ?? '',
    ...(cluster && { cluster: cluster.name }),
    ...(since > 0 && { shardsAddedMs: since }),
    nodes: nodes.map(({ shard, name }, at) => {
      const row = found.get(at + 1)
      return {
        shard,
        name,
        answers: row !== undefined,
        freeBytes: row?.free ?? 0,
        sizeBytes: row?.size ?? 0,
        delaySec: row?.delay ?? 0,
        isReadOnly: row?.readOnly === 1,
      }
    }),
  }
}
