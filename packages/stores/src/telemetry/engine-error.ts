/**
 * Turns what the engine throws into our errors: by its number, never by the message's words. The engine quotes what it was
 * given and what it read, and errors go into logs: so its words, and the text of the query, stay here.
 */
import { createHash } from 'node:crypto'
import { type ErrorDetails, SondeError, UnavailableError } from '@sonde/base'

type Known = { readonly message: string; readonly hint: string; readonly retryAfterSec: number }

const DAMAGED: Known = {
  message: 'a part of the telemetry store is damaged',
  hint: 'it is set aside within a minute, then the rest answers; `sonde doctor` and the status page name it',
  retryAfterSec: 5,
}

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const TRANSIENT: Readonly<Record<number, Known>> = {
  159: {
    message: 'the query took too long',
    hint: 'narrow the time range, or try again when less is going on',
    retryAfterSec: 5,
  },
  202: {
    message: 'too many queries at once',
    hint: 'try again in a moment',
    retryAfterSec: 2,
  },
  241: {
    message: 'the telemetry store reached its memory limit',
    hint: 'narrow the time range, or give Sonde more memory',
    retryAfterSec: 5,
  },
  243: {
    message: 'the disk of the telemetry store is full',
    hint: 'free disk space or shorten the retention; nothing acknowledged is lost meanwhile',
    retryAfterSec: 10,
  },
  242: {
    message: 'the table is read-only for now',
    hint: 'a replicated table is, while its server does not reach ClickHouse Keeper: check that Keeper runs',
    retryAfterSec: 5,
  },
  252: {
    message: 'the telemetry store cannot merge as fast as rows come in',
    hint: 'it recovers by itself; a faster disk helps',
    retryAfterSec: 5,
  },
  999: {
    message: 'ClickHouse Keeper does not answer',
    hint: 'check that it runs, with most of its nodes',
    retryAfterSec: 5,
  },
  40: DAMAGED,
  246: DAMAGED,
  271: DAMAGED,
}
/**
 * The engine's numbers for "this value cannot be taken"; any other failure is the store's own and is tried again.
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const CONTENT_ERRORS: ReadonlySet<number | undefined> = new Set([
  6, // CANNOT_PARSE_TEXT
  25, // CANNOT_PARSE_ESCAPE_SEQUENCE
  26, // CANNOT_PARSE_QUOTED_STRING
  27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  38, // CANNOT_PARSE_DATE
  41, // CANNOT_PARSE_DATETIME
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  72, // CANNOT_PARSE_NUMBER
  117, // INCORRECT_DATA
  130, // CANNOT_READ_ARRAY_FROM_TEXT
  131, // TOO_LARGE_STRING_SIZE
])

/** At least one row of an insert says what its column cannot hold; the same rows are refused each time. */
export class RefusedRows extends SondeError {
  constructor(message: string, details: ErrorDetails) {
    super('internal', message, details)
    this.name = 'RefusedRows'
  }
}

/** For what an insert throws. */
export function insertError(
  error: unknown,
  rowCount: number,
  table: string,
  describe: typeof engineError = engineError,
): SondeError {
  const thrown = describe(error, `insert ${rowCount} rows`, table)
  if (!CONTENT_ERRORS.has(engineErrorCode(thrown.cause))) return thrown
  const { message, operation, hint, cause } = thrown
  return new RefusedRows(message, { operation, subject: table, cause, ...(hint !== undefined && { hint }) })
}

// Errors of the file system carry their errno in the text only: "errno: 28, strerror: No space left on device".
const ENOSPC = /errno: 28\b/

export function engineError(error: unknown, operation: string, subject: string): SondeError {
  if (error instanceof SondeError) return error
  const thrown = error instanceof Error ? error : new Error('no error was thrown')
  const code = engineErrorCode(error)
  const known = TRANSIENT[ENOSPC.test(thrown.message) ? 243 : (code ?? -1)]
  const cause = withoutValues(thrown, code)
  if (known) {
    const { message, hint, retryAfterSec } = known
    return new UnavailableError(`${operation}: ${message}`, {
      operation,
      subject,
      hint,
      cause,
      retryAfterSec,
    })
  }
  if (isNetwork(thrown)) {
    return new UnavailableError(
      `${operation}: the ClickHouse server does not answer (${networkCode(thrown) ?? 'timeout'})`,
      {
        operation,
        subject,
        cause,
        hint: 'check that it runs and that SONDE_CLICKHOUSE_URL is right',
        retryAfterSec: 5,
        missing: 'the telemetry store',
      },
    )
  }
  return new SondeError('internal', `${operation}: ${cause.message}`, {
    operation,
    subject,
    cause,
    hint: 'this is a defect in Sonde; please report it with this message',
  })
}

/** A name by which a query is found again: the tables it reads, and a hash of its text before values are put in. */
export function queryName(sql: string): string {
  const tables = [...sql.matchAll(/\b(?:FROM|JOIN|TABLE|INTO)\s+`?([a-z_]+)\b/gi)].map(([, table]) => table)
  const hash = createHash('sha256').update(sql).digest('hex').slice(0, 12)
  return [...new Set(tables), hash].join(' ')
}

/** Number and name of the failure, and where in our code it came up. */
function withoutValues({ name, message, stack = '' }: Error, code: number | undefined): Error {
  const named = /\(([A-Z][A-Z\d_]{2,60})\)\s*$/.exec(message)?.[1]
  const cause = new Error(code === undefined ? name : `Code ${code}${named ? ` (${named})` : ''}`)
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  cause.stack = [String(cause), ...frames].join('\n')
  return Object.assign(cause, code === undefined ? {} : { clickhouseCode: code })
}

/** ClickHouse's number, from either client: `code` is a string of digits there, `clickhouseCode` a number here. */
export function engineErrorCode(error: unknown): number | undefined {
  const { code, clickhouseCode } = (error ?? {}) as { code?: unknown; clickhouseCode?: unknown }
  if (typeof clickhouseCode === 'number') return clickhouseCode
  return typeof code === 'string' && /^\d+$/.test(code) ? Number(code) : undefined
}

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'])
// The client's own, which has no code.
const CLIENT_TIMEOUT = 'Timeout error.'
const isNetwork = (error: Error): boolean =>
  NETWORK_CODES.has(networkCode(error) ?? '') || error.message === CLIENT_TIMEOUT
function networkCode(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
