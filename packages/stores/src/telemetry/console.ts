/**
 * Statements that a person wrote, on a connection of their own: read-only, with limits that leave the pipeline and the
 * screens their share. Which statements and which database: packages/queries/src/sql (docs/decisions/0010-sql-console.md).
 */
import { SondeError } from '@sonde/base'

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

/** Throws `ConsoleError` for what the engine refuses. */
export type RunStatement = (sql: string) => Promise<ConsoleAnswer>

export type TelemetryConsole = {
  /**
   * `job` has the connection alone, with `database` for names that name none. Jobs wait for each other. `sql` is sent as
   * it is, without parameters: what may stand in it is the caller's to check.
   */
  use<Result>(database: string, job: (run: RunStatement) => Promise<Result>): Promise<Result>
}

/** The engine's own number and words; what a person may read of them is decided where they are shown. */
export class ConsoleError extends SondeError {
  readonly code: number

  constructor(code: number, message: string, cause: unknown) {
    super('invalid', message, { operation: 'run a statement of the console', subject: String(code), cause })
    this.name = 'ConsoleError'
    this.code = code
  }
}

/** By its name, not by `instanceof`: the engine and the bundled screens hold two copies of the class. */
export const isConsoleError = (error: unknown): error is ConsoleError =>
  error instanceof Error && error.name === 'ConsoleError' && 'code' in error

export const CONSOLE_LIMITS = {
  /** More than anybody reads, and few enough to be a page and a file. */
  rows: 1_000,
  resultBytes: 8 * 1024 * 1024,
  /** A person waits that long, and so does the next one. */
  seconds: 10,
  /** Ten times the spans that every screen is fast with; time is the limit that is met first. */
  rowsToRead: 100_000_000,
  /** Of the engine's memory: the pipeline and two screens have to fit beside it. */
  memoryShare: 0.25,
  temporaryBytes: 1024 * 1024 * 1024,
} as const

/** Names and values as the engine knows them. `limit`: one more row than is shown tells that there are more. */
export function consoleSettings(maxMemoryBytes: number): Readonly<Record<string, number | string>> {
  return {
    max_execution_time: CONSOLE_LIMITS.seconds,
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
