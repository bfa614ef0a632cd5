/** A ClickHouse server by URL: `http://user:password@host:8123/database`. With `cluster` it speaks for all of its servers. */
import type { ClickHouseSettings } from '@clickhouse/client'
import type { Clock, Logger } from '@sonde/base'
import { bindParameters } from '../bind-parameters.ts'
import { deleteRows } from '../delete-rows.ts'
import { OWN_PARTS, partsStatement } from '../parts.ts'
import { purgeDeleted } from '../purge-deleted.ts'
import { READ_SETTINGS } from '../read-settings.ts'
import { createTable } from '../tables/table.ts'
import { TABLES, TELEMETRY_TABLES } from '../tables/tables.ts'
import type { Telemetry, TelemetryWeek } from '../telemetry.ts'
import { awaitServer, checkRights, databaseOf } from './await-server.ts'
import {
  changesTables,
  type ClusterLayout,
  clusterStatements,
  distributedTable,
  localTable,
  onCluster,
} from './cluster-statements.ts'
import {
  checkSingleServer,
  hasBareNodes,
  isSettled,
  placementComment,
  readNodes,
  readPlacement,
  weightsOf,
} from './cluster.ts'
import { connect, type Connection, type DescribeError } from './connection.ts'
import { describeServers } from './describe-servers.ts'
import { createServerConsole } from './server-console.ts'
import { shardError } from './shard-error.ts'

export type ServerPlace = {
  readonly url: string
  readonly cluster?: string
  /**
   * Of each shard, where the servers have no ClickHouse Keeper: their tables are then not replicated, and what changes
   * them is sent to each of these instead of `ON CLUSTER`.
   */
  readonly shardUrls?: readonly string[]
}
type Needs = {
  readonly clock: Clock
  readonly logger: Logger
  readonly retentionDays: number
  readonly waitMs: number
}
export type OpenServer = {
  readonly telemetry: Telemetry
  /** The table whose rows a telemetry table has: its definition says how they are kept. */
  readonly rowsOf: (table: string) => string
}

// As embedded. What a query may have besides is for the server's own profile to say.
const MAX_QUERY_SECONDS = 30
const MAX_QUERY_BYTES = 2 * 1024 ** 3
const SETTINGS: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  max_execution_time: MAX_QUERY_SECONDS,
  max_memory_usage: String(MAX_QUERY_BYTES),
  // Of a server that hangs: within the time that the request has.
  receive_timeout: MAX_QUERY_SECONDS,
  ...READ_SETTINGS,
}

/** Throws `ConfigError` for what cannot work, with the next step. */
export async function openServer(place: ServerPlace, needs: Needs): Promise<OpenServer> {
  const { url } = place
  const alone = connect(url, SETTINGS)
  try {
    await awaitServer({ query: alone.query, url, ...needs })
    await checkRights(alone.text, url, place.cluster !== undefined)
    if (place.cluster !== undefined) return await openCluster(place, place.cluster, alone, needs)
    await checkSingleServer(alone.query, url)
  } catch (error) {
    await alone.close()
    throw error
  }
  const telemetry: Telemetry = {
    insert: alone.insert,
    insertNative: alone.insertNative,
    query: alone.query,
    command: alone.command,
    writeParquet: alone.writeParquet,
    close: alone.close,
    console: createServerConsole(
      url,
      {},
      {
        query: alone.query,
        everywhere: alone.command,
        onCluster: '',
        tables: { from: 'system.tables', server: 'hostName()' },
      },
    ),
    deleteRows: (table, where, params, how) => deleteRows(alone, table, where, params, how),
    purge: (table) => purgeDeleted(alone, table),
    parts: (table) => alone.query<TelemetryWeek>(partsStatement(OWN_PARTS), { table }),
    describe: () => describeServers(alone.query, url, undefined),
  }
  return { telemetry, rowsOf: (table) => table }
}

/**
 * Of a shard's servers the first that answers reads and writes: so what was written is read, though the others get it
 * later. `global`: a query within a query is answered once and sent along, wherever its rows lie.
 */
const CLUSTER_SETTINGS: ClickHouseSettings = {
  // A statement that inserts ends when every shard has its rows.
  distributed_foreground_insert: 1,
  load_balancing: 'in_order',
  distributed_product_mode: 'global',
  // The default of servers: give up, rather than leave out what a silent shard has.
  skip_unavailable_shards: 0,
  // A server that is down when tables change catches up by itself.
  distributed_ddl_output_mode: 'null_status_on_timeout',
  distributed_ddl_task_timeout: '20',
}

async function openCluster(
  place: ServerPlace,
  cluster: string,
  alone: Connection,
  { clock, logger, retentionDays }: Needs,
): Promise<OpenServer> {
  const { url, shardUrls } = place
  const nodes = await readNodes(alone.query, cluster)
  const { placement, isStored, isGrown } = await readPlacement(alone.query, { cluster, url, nodes, clock })
  const settled = isSettled(placement, clock, retentionDays)
  if (!settled)
    logger.warn({ cluster }, 'shards were added: queries ask all of them until older rows are gone')
  await alone.close()
  const layout: ClusterLayout = {
    cluster,
    database: databaseOf(url),
    isReplicated: shardUrls === undefined,
    comment: placementComment(placement),
  }
  const reading: ClickHouseSettings = { ...CLUSTER_SETTINGS, optimize_skip_unused_shards: settled ? 1 : 0 }
  const settings = { ...SETTINGS, ...reading }
  const describeError: DescribeError = (error, ...about) => shardError(error, cluster, nodes, ...about)
  const main = connect(url, settings, describeError)
  const each = shardUrls?.map((shard) => connect(shard, settings, describeError)) ?? [main]
  /** On every shard. */
  const everywhere = async (statement: string): Promise<void> => {
    for (const one of each) await one.command(statement)
  }
  const command: Telemetry['command'] = async (sql, params) => {
    if (!changesTables(sql)) return main.command(sql, params)
    for (const statement of clusterStatements(bindParameters(sql, params), layout))
      await everywhere(statement)
  }
  if (isStored && (await hasBareNodes(main.query, layout)))
    for (const table of TELEMETRY_TABLES) await command(createTable(TABLES[table]))
  else if (isGrown) for (const table of TELEMETRY_TABLES) await everywhere(distributedTable(table, layout))
  const database = `'${layout.database}'`
  const telemetry: Telemetry = {
    insert: main.insert,
    insertNative: main.insertNative,
    query: main.query,
    command,
    writeParquet: main.writeParquet,
    shardWeights: weightsOf(nodes),
    console: createServerConsole(url, reading, {
      query: main.query,
      everywhere,
      onCluster: onCluster(layout),
      tables: { from: `clusterAllReplicas('${cluster}', system.tables)`, server: '_shard_num' },
    }),
    deleteRows: (table, where, params, how) =>
      deleteRows({ query: main.query, command }, table, where, params, how, {
        from: `clusterAllReplicas('${cluster}', system.mutations)`,
        database,
        table: localTable(table),
      }),
    purge: (table) =>
      purgeDeleted({ query: main.query, command }, table, {
        parts: `clusterAllReplicas('${cluster}', system.parts)`,
        tables: `clusterAllReplicas('${cluster}', system.tables)`,
        mutations: {
          from: `clusterAllReplicas('${cluster}', system.mutations)`,
          database,
          table: localTable(table),
        },
        forget: (where) => everywhere(`KILL MUTATION${onCluster(layout)} WHERE ${where}`),
      }),
    parts: (table) =>
      main.query<TelemetryWeek>(
        partsStatement({
          from: `clusterAllReplicas('${cluster}', system.parts)`,
          server: '_shard_num',
          database,
        }),
        { table: localTable(table) },
      ),
    describe: () => describeServers(main.query, url, { name: cluster, nodes, placement }),
    async close() {
      await Promise.all([main, ...each].map((one) => one.close()))
    },
  }
  return { telemetry, rowsOf: localTable }
}
