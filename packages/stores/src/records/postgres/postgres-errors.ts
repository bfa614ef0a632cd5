/**
 * Turns what PostgreSQL and its connection throw into our errors, by its SQLSTATE, never by the message's words
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html). What a statement did wrong stays as it is: callers
 * know their constraints, and a transaction that lost against another is run again.
 */
import { ConfigError, SondeError, UnavailableError } from '@sonde/base'

const SETTING = 'SONDE_DATABASE_URL'

/** Where the records are, for people and logs: never with the password, which may also stand behind the `?`. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'the database'
  const { protocol, username, hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${port && `:${port}`}${pathname}`
}

/** What stays wrong until somebody changes it. */
const REFUSED: Readonly<Record<string, string>> = {
  '28000': 'the server does not let this user in: check pg_hba.conf, or `?sslmode=require` in the URL',
  '28P01': 'check user and password in the URL; characters such as @ and / are written %40 and %2F there',
  '3D000': 'make it first: CREATE DATABASE sonde OWNER sonde',
  '42501': 'let the user own the database: ALTER DATABASE sonde OWNER TO sonde',
}
/** What passes. Whole classes by their first two characters. */
const PASSING: Readonly<Record<string, string>> = {
  '08': 'the connection broke; it is made anew with the next request',
  '53': 'the server is short of something: of connections (max_connections), memory or disk',
  '57014': 'the statement took too long and was ended; see what else runs on the server',
  '57': 'the server stops or starts; Sonde goes on when it is back',
  '58': 'the server has trouble with its disk; its log says more',
  '25006': 'the server only lets read: point the URL at the primary',
  '55P03': 'somebody holds a lock for long; see pg_stat_activity on the server',
}
/** A row of an index is larger than a third of its page. */
const TOO_LONG = '54000'
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** What the client itself throws has no code. */
const CLIENT =
  /^(?:Connection terminated|Query read timeout|timeout e|timeout expired|Client has encountered)/

/** The connection is no longer of use. */
export const isBroken = (error: unknown): boolean =>
  CLIENT.test(messageOf(error)) || NETWORK.has(codeOf(error)) || /^(?:08|57P)/.test(codeOf(error))

export function postgresError(error: unknown, url: string, operation = 'use the records'): unknown {
  if (error instanceof SondeError) return error
  const [code, subject, message] = [codeOf(error), shownUrl(url), messageOf(error)]
  const cause = error
  const refused = REFUSED[code]
  if (refused !== undefined) return new ConfigError(SETTING, `${subject}: ${message}`, refused)
  if (code === TOO_LONG)
    return new SondeError('invalid', `${operation}: a name is longer than PostgreSQL can index`, {
      operation,
      subject,
      cause,
      hint: 'names of files have at most 2,600 bytes',
    })
  const passing =
    PASSING[code] ??
    PASSING[code.slice(0, 2)] ??
    (NETWORK.has(code) || CLIENT.test(message)
      ? `check that PostgreSQL runs and that ${SETTING} is right`
      : undefined)
  if (passing === undefined) return error
  return new UnavailableError(`${operation}: ${message} (${subject})`, {
    operation,
    subject,
    cause,
    hint: passing,
    retryAfterSec: 5,
    ...(isBroken(error) && { missing: 'the database of the records' }),
  })
}

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? ''
/** Of an `AggregateError`, as of a host with two addresses, the first says it. */
function messageOf(error: unknown): string {
  const { message, errors } = (error ?? {}) as { message?: string; errors?: readonly Error[] }
  return message || errors?.[0]?.message || codeOf(error)
}
