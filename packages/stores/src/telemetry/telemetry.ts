/** The telemetry store: ClickHouse SQL, in this process (chDB) or on a server; callers cannot tell. */
import type { TelemetryConsole } from './console.ts'
import type { DamagedPart } from './embedded/damaged-parts.ts'
import type { TelemetryServers } from './server/describe-servers.ts'
import type { TelemetryTable } from './tables/tables.ts'

export type Telemetry = {
  /**
   * Inserts rows that `rows.ts` encoded. Idempotent per `token`: the same token again inserts nothing (guarantee G2),
   * so a token must name exactly these rows. Durable when it resolves. Throws `RefusedRows` when the engine cannot take
   * what a row says: it then took none of them.
   */
  insert(table: TelemetryTable, rows: readonly TelemetryRow[], token: string): Promise<void>
  /**
   * `{name:Type}` parameters are sent as values, never as SQL; a number or Date for a `DateTime64` is Unix milliseconds.
   * 64-bit integers come back as numbers: everything we store is below 2^53. Throws `SondeError`; kind `unavailable`
   * when the engine ran out of memory, time or disk.
   */
  query<Row>(sql: string, params?: QueryParams): Promise<Row[]>
  command(sql: string, params?: QueryParams): Promise<void>
  /**
   * One step of deleting the rows that match: begins it when nothing else is deleted from the table just now, waits for
   * nothing, and returns how many rows queries saw before the step. Call it again until it returns 0; idempotent, and a
   * deletion that was begun survives a restart. `with-bytes`: parts are written anew at once, for many rows; without it
   * rows are marked, and their bytes go when their part is merged.
   */
  deleteRows(table: TelemetryTable, where: string, params: QueryParams, how?: 'with-bytes'): Promise<number>
  /**
   * One step of taking the bytes of deleted rows off the disk, once `deleteRows` returned 0; returns how many things it still
   * waits for: parts that have or had such rows, conditions of deletions. Call it again until it returns 0; idempotent.
   */
  purge(table: TelemetryTable): Promise<number>
  /**
   * The weeks of a table that have rows, in their order: of the server with the most parts of each. A week of one part has
   * nothing twice that replaces each other.
   */
  parts(table: TelemetryTable): Promise<TelemetryWeek[]>
  /** Only of the engine in this process: the rows of a query in ClickHouse's own binary format, all in memory. */
  readNative?(sql: string, params?: QueryParams): Promise<Uint8Array>
  /** Only of servers: what `readNative` made, of the columns of `ROW_COLUMNS`. Idempotent per `token`, as `insert`. */
  insertNative?(table: TelemetryTable, rows: Uint8Array, token: string): Promise<void>
  /**
   * Writes the rows of a query into a new file of this machine, as Parquet, without holding them in memory. One at a time; may take
   * as long as it takes. Throws as `query`; what was written until then is nothing to use.
   */
  writeParquet(path: string, sql: string, params?: QueryParams): Promise<void>
  /** Only of the engine in this process: parts that are damaged, set aside, and still there. */
  damagedParts?(): Promise<readonly DamagedPart[]>
  /** What there is to say of the servers behind it; undefined: it is in this process. Costs a query to each of them. */
  describe?(): Promise<TelemetryServers>
  /**
   * Of a cluster, the weights of its shards in their order: a project's rows go to the shard where `projectId % (their sum)`
   * falls. Absent: there is one.
   */
  readonly shardWeights?: readonly number[]
  /** For statements that a person wrote. */
  readonly console: TelemetryConsole
  /** Waits for what runs. Idempotent. */
  close(): Promise<void>
}

export type QueryParams = Readonly<Record<string, unknown>>
/** A line of tab-separated text without its last newline, or its UTF-8 bytes; several lines may travel as one. */
export type TelemetryRow = string | Uint8Array
/**
 * `week`: its partition, a Monday as a date, or a month's first day. `level` 0: a part that no merge has made. `rows` and
 * `bytes` on the disk: of all servers together, replicas too, and with what was deleted and not merged away yet.
 */
export type TelemetryWeek = {
  readonly week: string
  readonly parts: number
  readonly level: number
  readonly rows: number
  readonly bytes: number
}
