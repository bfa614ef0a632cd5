/**
 * What a statement of the schema becomes on a cluster. The rows of `events` lie in `events_local` on every shard;
 * `events` itself is a `Distributed` table over them, so that queries and inserts are the same text everywhere.
 */
import { TELEMETRY_TABLES, type TelemetryTable } from '../tables/tables.ts'

export type ClusterLayout = {
  readonly cluster: string
  readonly database: string
  /**
   * Replicated tables, made by `ON CLUSTER`. False: plain tables, where each statement is sent to every shard by itself;
   * for servers without ClickHouse Keeper.
   */
  readonly isReplicated: boolean
  /** Kept with the tables, as their comment. */
  readonly comment: string
}

/** Where the rows of a table lie on each shard. */
export const localTable = (table: string): string => `${table}_local`

/** A project's rows lie on one shard, so what joins or replaces them needs no other. */
const SHARDING_KEY = 'project_id'

/**
 * A batch that failed on one shard is repeated on all for as long as that takes, while batches of others go on: the window
 * must outlast them. At one batch a second it is a day.
 */
const REPLICATED_SETTINGS =
  'replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 2592000'

const CREATE = /^CREATE TABLE IF NOT EXISTS (\w+)/
const CHANGE = /^(ALTER TABLE|OPTIMIZE TABLE|TRUNCATE TABLE|DELETE FROM) (\w+)/
const ENGINE = /\bENGINE = (\w*MergeTree)\b(?:\(([^()]*)\))?/
/** Read where it is asked for; of replicated tables one server gets the row, and the others have it from there. */
const REMEMBER = /^INSERT INTO schema_migration\b/
/** The distributed table has the columns of its local one as they were when it was made. */
const CHANGES_COLUMNS = /\b(ADD|DROP|MODIFY|RENAME) COLUMN\b/

/** In their order; the one statement itself where it changes no table. */
export function clusterStatements(statement: string, layout: ClusterLayout): readonly string[] {
  const created = CREATE.exec(statement)?.[1]
  if (created === 'schema_migration') return [createEverywhere(statement, layout)]
  if (isOurs(created)) return [createLocal(statement, created, layout), distributedTable(created, layout)]
  const changed = CHANGE.exec(statement)?.[2]
  if (!isOurs(changed)) return [statement]
  const local = statement.replace(CHANGE, `$1 ${localTable(changed)}${onCluster(layout)}`)
  return CHANGES_COLUMNS.test(statement) ? [local, distributedTable(changed, layout)] : [local]
}

const isOurs = (table: string | undefined): table is TelemetryTable =>
  (TELEMETRY_TABLES as readonly (string | undefined)[]).includes(table)

/** Whether `clusterStatements` says where a statement runs; others run on the server that is asked. */
export const changesTables = (statement: string): boolean =>
  CREATE.test(statement) || CHANGE.test(statement) || REMEMBER.test(statement)

export const onCluster = ({ isReplicated, cluster }: ClusterLayout): string =>
  isReplicated ? ` ON CLUSTER \`${cluster}\`` : ''

function createLocal(statement: string, table: string, layout: ClusterLayout): string {
  const local = statement.replace(
    CREATE,
    `CREATE TABLE IF NOT EXISTS ${localTable(table)}${onCluster(layout)}`,
  )
  if (!layout.isReplicated) return local
  const path = `/clickhouse/tables/{shard}/${layout.database}/${localTable(table)}`
  return `${replicated(local, `'${path}', '{replica}'`)}, ${REPLICATED_SETTINGS}`
}

/** The same few rows on every server: one table whose replicas they all are. */
function createEverywhere(statement: string, layout: ClusterLayout): string {
  if (!layout.isReplicated) return statement
  const everywhere = statement.replace(CREATE, `CREATE TABLE IF NOT EXISTS $1${onCluster(layout)}`)
  return replicated(
    everywhere,
    `'/clickhouse/tables/${layout.database}/schema_migration', '{shard}-{replica}'`,
  )
}

const replicated = (statement: string, place: string): string =>
  statement.replace(
    ENGINE,
    (_, engine: string, args?: string) => `ENGINE = Replicated${engine}(${place}${args ? `, ${args}` : ''})`,
  )

/** Made anew whenever its local table changed: it holds no rows, and the exchange is atomic. */
export function distributedTable(table: TelemetryTable, layout: ClusterLayout): string {
  const { cluster, database, comment } = layout
  const local = localTable(table)
  return `CREATE OR REPLACE TABLE ${table}${onCluster(layout)} AS ${local}
ENGINE = Distributed('${cluster}', '${database}', '${local}', ${SHARDING_KEY}) COMMENT '${comment}'`
}
