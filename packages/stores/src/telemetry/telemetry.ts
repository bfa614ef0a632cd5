/** The telemetry store: ClickHouse SQL, in this process (chDB) or on a server; callers cannot tell. */
import type { TelemetryConsole } from './console.ts'

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
   * deletion that was begun survives a restart.
   */
  deleteRows(table: TelemetryTable, where: string, params: QueryParams): Promise<number>
  /** For statements that a person wrote. */
  readonly console: TelemetryConsole
  /** Waits for what runs. Idempotent. */
  close(): Promise<void>
}

export type QueryParams = Readonly<Record<string, unknown>>
/** Tables that one span item fills. */
export const SPAN_TABLES = ['spans', 'vitals', 'navigations', 'prefetches'] as const
export type SpanTable = (typeof SPAN_TABLES)[number]
export const TELEMETRY_TABLES = ['events', 'event_index', 'outcomes', ...SPAN_TABLES] as const
export type TelemetryTable = (typeof TELEMETRY_TABLES)[number]

/** A line of tab-separated text without its last newline, or its UTF-8 bytes; several lines may travel as one. */
export type TelemetryRow = string | Uint8Array

/** Everything of an event that has a column; `issue_id` is added when the batch is committed. */
export type EventFields = {
  readonly projectId: number
  /** 32 lower hex. */
  readonly eventId: string
  readonly timestampMs: number
  readonly receivedMs: number
  /** Where it stood in the log: tells a repeated batch from a repeated event. */
  readonly logPosition: number
  readonly itemIndex: number
  readonly type: string
  readonly level: string
  readonly platform: string
  readonly release: string
  readonly dist: string
  readonly environment: string
  readonly transaction: string
  readonly title: string
  readonly culprit: string
  readonly exceptionType: string
  readonly exceptionValue: string
  readonly message: string
  /** `yes`, `no`, or empty when unknown. */
  readonly handled: string
  /** `id:42`, `email:…`, `username:…` or `ip:…`; empty when nobody is known. What "users" counts. */
  readonly userKey: string
  readonly sdkName: string
  readonly sdkVersion: string
  readonly traceId: string
  readonly spanId: string
  readonly url: string
  readonly tags: Readonly<Record<string, string>>
  readonly hashes: readonly string[]
  /** Of the script files in its stacks: lower case with hyphens. */
  readonly debugIds: readonly string[]
  /** Why its stacks are not readable: the `FrameProblem` of the most of its own frames; empty: they are. */
  readonly unreadable: string
  /** 0 as it came; one more each time that it was read again with a later source map. */
  readonly revision: number
  /** The normalised event as JSON text (`NormalizedEvent`). */
  readonly payload: string
}

/** A number of items that ended the same way; added to what its minute has already (guarantee G3). */
export type OutcomeFields = {
  readonly atMs: number
  readonly projectId: number
  readonly keyId: number
  readonly category: string
  readonly outcome: string
  readonly reason: string
  readonly quantity: number
}
