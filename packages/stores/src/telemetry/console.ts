/**
 * Statements that a person wrote, on a connection of their own: read-only, with limits that leave the pipeline and the
 * screens their share. Which statements and which database: packages/queries/src/sql (docs/decisions/0010-sql-console.md).
 */
import { SondeError } from '@sonde/base'
import { bindParameters } from './bind-parameters.ts'
import type { QueryParams } from './telemetry.ts'

export type ConsoleAnswer = {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** As JSON has them; integers of 64 bits, decimals and infinities are texts. At most `CONSOLE_LIMITS.rows`. */
  readonly rows: readonly (readonly unknown[])[]
  /** There would have been more rows. */
  readonly isCut: boolean
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedMs: number
}

/** A database of views. The name says what is in it: one that is there is not made again. */
export type ConsoleDatabase = {
  readonly name: string
  /** Databases whose names begin so are of the same owner, and go when another takes their place. */
  readonly prefix: string
  readonly views: readonly ConsoleView[]
}
export type ConsoleView = {
  readonly name: string
  /** `home`: the database in which the tables lie. */
  readonly select: (home: string) => string
  readonly params: QueryParams
}

/** Both throw `ConsoleError` for what the engine refuses or does not live through. */
export type ConsoleStatements = {
  /** The text as the engine's parser writes it; nothing runs. */
  readonly format: (text: string) => Promise<string>
  /** Sent as it is, without parameters: what may stand in it is the caller's to check. */
  readonly run: RunStatement
}
export type RunStatement = (sql: string) => Promise<ConsoleAnswer>

export type TelemetryConsole = {
  /**
   * `job` has the console alone, with `database` for names that name none. Jobs wait for each other. All statements of
   * one job together have `CONSOLE_LIMITS.wallSeconds`; then they are given up, wherever the engine is, and the next
   * job begins. Rows of the last two seconds may be missing.
   */
  use<Result>(
    database: ConsoleDatabase,
    job: (statements: ConsoleStatements) => Promise<Result>,
  ): Promise<Result>
}

/** What `ConsoleError.code` is when it is no number of the engine's. */
export const CONSOLE_TOOK_TOO_LONG = -1
/** The engine of the console did not start, or ended while it ran a statement. */
export const CONSOLE_ENDED = -2

/** The engine's own number and words; what a person may read of them is decided where they are shown. */
export class ConsoleError extends SondeError {
  readonly code: number

  constructor(code: number, message: string, cause: unknown) {
    super('invalid', message, { operation: 'run a statement of the console', subject: String(code), cause })
    this.name = 'ConsoleError'
    this.code = code
  }
}

export const CONSOLE_LIMITS = {
  /** More than anybody reads, and few enough to be a page and a file. */
  rows: 1_000,
  resultBytes: 8 * 1024 * 1024,
  /** A person waits that long, and so does the next one. */
  seconds: 10,
  /** The engine looks at its clock between blocks of rows; a single expression may take hours. This holds for it, too. */
  wallSeconds: 10.5,
  /** Ten times the spans that every screen is fast with; time is the limit that is met first. */
  rowsToRead: 100_000_000,
  /** Of the engine's memory: the pipeline and two screens have to fit beside it. */
  memoryShare: 0.25,
  temporaryBytes: 1024 * 1024 * 1024,
} as const

/** Names and values as the engine knows them. `limit`: one more row than is shown tells that there are more. */
export function consoleSettings(
  maxMemoryBytes: number,
  seconds: number = CONSOLE_LIMITS.seconds,
): Readonly<Record<string, number | string>> {
  return {
    max_execution_time: seconds,
    timeout_overflow_mode: 'throw',
    max_memory_usage: Math.floor(maxMemoryBytes * CONSOLE_LIMITS.memoryShare),
    max_temporary_data_on_disk_size_for_query: CONSOLE_LIMITS.temporaryBytes,
    max_rows_to_read: CONSOLE_LIMITS.rowsToRead,
    limit: CONSOLE_LIMITS.rows + 1,
    max_result_bytes: CONSOLE_LIMITS.resultBytes,
    result_overflow_mode: 'throw',
    // One of two cores at most stays busy with it.
    max_threads: 1,
    max_subquery_depth: 20,
    max_ast_elements: 10_000,
    allow_ddl: 0,
    allow_introspection_functions: 0,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_decimals: 1,
    output_format_json_quote_denormals: 1,
    // Last: afterwards nothing can be set, not even by a SETTINGS clause.
    readonly: 1,
  }
}

/** Makes the database; nothing happens when it is there. */
export function consoleDatabaseStatements(
  { name, views }: Pick<ConsoleDatabase, 'name' | 'views'>,
  home: string,
  onCluster = '',
): readonly string[] {
  return [
    // In memory: nothing of it is stored, and it is made again after a start.
    `CREATE DATABASE IF NOT EXISTS ${name}${onCluster} ENGINE = Memory`,
    ...views.map(
      (view) =>
        `CREATE VIEW IF NOT EXISTS ${name}.${view.name}${onCluster} AS ${bindParameters(view.select(home), view.params)}`,
    ),
  ]
}

/** The embedded engine does not hold `max_result_bytes` for what it hands on block by block. Throws `ConsoleError`. */
export function checkResultSize(text: string): string {
  if (text.length > CONSOLE_LIMITS.resultBytes)
    throw new ConsoleError(TOO_LARGE_A_RESULT, 'the result is too large', undefined)
  return text
}
// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const TOO_LARGE_A_RESULT = 396

export const formatStatement = (text: string): string =>
  bindParameters('SELECT formatQuerySingleLine({text:String})', { text })

type JsonCompact = {
  readonly meta: ConsoleAnswer['columns']
  readonly data: readonly (readonly unknown[])[]
  readonly statistics: {
    readonly elapsed: number
    readonly rows_read: number
    readonly bytes_read: number
  }
}

/** `text` in the format JSONCompact. */
export function consoleAnswer(text: string): ConsoleAnswer {
  const { meta, data, statistics } = JSON.parse(text) as JsonCompact
  return {
    columns: meta,
    rows: data.slice(0, CONSOLE_LIMITS.rows),
    isCut: data.length > CONSOLE_LIMITS.rows,
    rowsRead: statistics.rows_read,
    bytesRead: statistics.bytes_read,
    elapsedMs: statistics.elapsed * 1000,
  }
}
