/** The servers of a cluster, and where the rows of a project lie on them. */
import { type Clock, ConfigError } from '@sonde/base'
import { TELEMETRY_TABLES } from '../tables/tables.ts'
import { databaseOf, type ServerQuery } from './await-server.ts'
import { type ClusterLayout, localTable } from './cluster-statements.ts'

const SETTING = 'SONDE_CLICKHOUSE_CLUSTER'
const DAY_MS = 86_400_000

export type ClusterNode = {
  readonly shard: number
  /** Of the shard: how many of the sum of all weights are its projects. */
  readonly weight: number
  /** `host:port`, as errors of the engine name it. */
  readonly name: string
}

/** In the order in which `clusterAllReplicas` counts them. Throws `ConfigError` when there is no such cluster. */
export async function readNodes(query: ServerQuery, cluster: string): Promise<readonly ClusterNode[]> {
  const rows = await query<ClusterNode & { cluster: string }>(
    `SELECT cluster, shard_num AS shard, shard_weight AS weight, concat(host_name, ':', toString(port)) AS name
     FROM system.clusters ORDER BY cluster, shard_num, replica_num`,
  )
  const nodes = rows.filter((row) => row.cluster === cluster)
  if (nodes.length > 0) return nodes.map(({ shard, weight, name }) => ({ shard, weight, name }))
  const known = [...new Set(rows.map((row) => row.cluster))]
  throw new ConfigError(
    SETTING,
    `the ClickHouse server knows no cluster "${cluster}"`,
    known.length === 0
      ? 'Name its servers in the section remote_servers of its configuration.'
      : `It knows ${known.join(', ')} (system.clusters).`,
  )
}

/** In the order of the shards. */
export const weightsOf = (nodes: readonly ClusterNode[]): readonly number[] => [
  ...new Map(nodes.map(({ shard, weight }) => [shard, weight])).values(),
]

const shardCount = (nodes: readonly ClusterNode[]): number => new Set(nodes.map(({ shard }) => shard)).size

/**
 * With more shards than before a project is looked for on another one than its older rows lie on. Queries then ask every
 * shard, until those rows are older than the retention.
 */
export type Placement = { readonly shards: number; readonly sinceMs: number }

export const placementComment = ({ shards, sinceMs }: Placement): string =>
  `shards=${shards} since=${sinceMs}`
const PLACEMENT = /^shards=(\d+) since=(\d+)$/

export const isSettled = ({ sinceMs }: Placement, clock: Clock, retentionDays: number): boolean =>
  sinceMs === 0 || clock.nowMs() - sinceMs > retentionDays * DAY_MS

export type StoredTables = {
  readonly placement: Placement
  readonly isStored: boolean
  /** There were fewer shards when the tables were made. */
  readonly isGrown: boolean
}

type StoredRow = { readonly engine: string; readonly definition: string; readonly comment: string }

/** Throws `ConfigError` for a database that was filled by a single server, or with another cluster. */
export async function readPlacement(
  query: ServerQuery,
  { cluster, url, nodes, clock }: ReadPlacement,
): Promise<StoredTables> {
  const shards = shardCount(nodes)
  const tables = await storedTables(query)
  const [stored] = tables
  if (stored === undefined) return { placement: { shards, sinceMs: 0 }, isStored: false, isGrown: false }
  const inDatabase = `the database "${databaseOf(url)}" has tables`
  if (stored.engine !== 'Distributed')
    throw new ConfigError(
      SETTING,
      `${inDatabase} of a single server, which are not made into those of a cluster`,
      'Leave the setting out, or name an empty database in SONDE_CLICKHOUSE_URL.',
    )
  const before = /Distributed\('([^']*)'/.exec(stored.definition)?.[1]
  if (before !== cluster)
    throw new ConfigError(SETTING, `${inDatabase} of the cluster "${before}"`, `Set it to ${before}.`)
  // An interrupted start may have told only some of the tables.
  const [placement = { shards, sinceMs: 0 }] = tables
    .flatMap(({ comment }) => {
      const [, count, since] = PLACEMENT.exec(comment) ?? []
      return count === undefined ? [] : [{ shards: Number(count), sinceMs: Number(since) }]
    })
    .toSorted((a, b) => a.shards - b.shards)
  if (placement.shards > shards)
    throw new ConfigError(
      SETTING,
      `the cluster "${cluster}" has ${shards} of the ${placement.shards} shards that it had: what lies on the others would be missing`,
      'Put them back into remote_servers; a shard cannot be taken away.',
    )
  if (placement.shards === shards) return { placement, isStored: true, isGrown: false }
  return { placement: { shards, sinceMs: clock.nowMs() }, isStored: true, isGrown: true }
}
type ReadPlacement = {
  readonly cluster: string
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  readonly clock: Clock
}

/** Throws `ConfigError` when tables of a cluster would be used as those of one server. */
export async function checkSingleServer(query: ServerQuery, url: string): Promise<void> {
  const [stored] = await storedTables(query)
  if (stored?.engine !== 'Distributed') return
  const cluster = /Distributed\('([^']*)'/.exec(stored.definition)?.[1]
  throw new ConfigError(
    SETTING,
    `is not set, but the database "${databaseOf(url)}" has tables of the cluster "${cluster}"`,
    `Set it to ${cluster}.`,
  )
}

const storedTables = (query: ServerQuery): Promise<StoredRow[]> =>
  query<StoredRow>(
    `SELECT engine, engine_full AS definition, comment FROM system.tables
     WHERE database = currentDatabase() AND name IN {names:Array(String)} ORDER BY name`,
    { names: TELEMETRY_TABLES },
  )

/** Servers that answer and have not all the tables: added since, or emptied. */
export async function hasBareNodes(query: ServerQuery, layout: ClusterLayout): Promise<boolean> {
  const names = TELEMETRY_TABLES.flatMap((table) => [table, localTable(table)])
  const rows = await query<{ tables: number }>(
    `SELECT countIf(database = {database:String} AND name IN {names:Array(String)}) AS tables
     FROM clusterAllReplicas({cluster:String}, system.tables) GROUP BY _shard_num
     SETTINGS skip_unavailable_shards = 1`,
    { database: layout.database, names, cluster: layout.cluster },
  )
  return rows.some(({ tables }) => tables < names.length)
}
