/** A session update, or what an SDK counted of one minute, as it is read. https://develop.sentry.dev/sdk/telemetry/sessions/ */
import type { SessionFields } from '@sonde/stores'
import { cleanText, isObject, lenientNumber, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { parseTimestamp } from '../normalize/timestamp.ts'

/** The five are disjoint; their sum is how many sessions a row stands for. */
export type SessionCounts = Pick<SessionFields, 'healthy' | 'errored' | 'unhandled' | 'abnormal' | 'crashed'>
export type Session = SessionCounts & {
  readonly startedMs: number
  /** As the SDK sent it; undefined: counts, or a session that nobody tells a second time. */
  readonly sessionId: string | undefined
  /** Who: an id or a hash. Empty: nobody is known. */
  readonly user: string
  readonly status: string
  readonly errors: number
  readonly durationMs: number | undefined
  /** Of several updates of a session the highest counts. */
  readonly version: number
}

type Clock = { readonly receivedMs: number; readonly shiftMs: number }

const MINUTE_MS = 60_000
/** Updates of a session are taken for five days, as upstream takes them. What began before is told of nobody any more. */
const MAX_AGE_MS = 5 * 24 * 60 * MINUTE_MS
/**
 * A clock may be ahead by as much as is not taken out. The time is kept as it is, not set to the arrival: it is a part of
 * what tells sessions apart, and has to be the same in all updates of one.
 */
const MAX_AHEAD_MS = 60 * MINUTE_MS

const NONE: SessionCounts = { healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }
/** `ok` and `exited` say nothing of errors that were handled: those have a number. */
const KIND_OF_STATUS: ReadonlyMap<string, keyof SessionCounts> = new Map([
  ['crashed', 'crashed'],
  ['abnormal', 'abnormal'],
  ['unhandled', 'unhandled'],
  ['errored', 'errored'],
])
const STATUSES: ReadonlySet<string> = new Set([...KIND_OF_STATUS.keys(), 'ok', 'exited'])

/** Undefined: it says no time at which it began, or one that cannot be. */
export function readSession(raw: RawObject, clock: Clock): Session | undefined {
  const startedMs = readStarted(raw.started, clock)
  if (startedMs === undefined) return undefined
  const status = textOf(raw.status, 20) || 'ok'
  const errors = countOf(raw.errors)
  const kind = KIND_OF_STATUS.get(status) ?? (errors > 0 ? 'errored' : 'healthy')
  const duration = raw.duration === null || raw.duration === '' ? Number.NaN : lenientNumber(raw.duration)
  return {
    ...NONE,
    [kind]: 1,
    startedMs,
    sessionId: textOf(raw.sid, 64) || undefined,
    user: textOf(raw.did, MAX_USER_CHARS),
    status: STATUSES.has(status) ? status : 'unknown',
    errors,
    durationMs: duration >= 0 && duration < MAX_DURATION_SEC ? duration * 1000 : undefined,
    version: versionOf(raw, status, errors, clock),
  }
}

/** Long enough for every e-mail address; longer ones are told apart by their beginning. */
const MAX_USER_CHARS = 320
const MAX_DURATION_SEC = 366 * 86_400
const MAX_ERRORS = 1_000_000

const MAX_SEQUENCE = 2 ** 45 - 1
const MAX_ERRORS_IN_VERSION = 63
const TERMINAL = 2 ** 52

/**
 * That it ended is above all, then the number of the update. SDKs that do not number send times instead (JavaScript's,
 * Python's); of two in one millisecond more errors are later.
 */
function versionOf(raw: RawObject, status: string, errors: number, { receivedMs }: Clock): number {
  const ends = status === 'ok' ? 0 : TERMINAL
  const sequence = Math.min(MAX_SEQUENCE, sequenceOf(raw) ?? receivedMs)
  return ends + sequence * (MAX_ERRORS_IN_VERSION + 1) + Math.min(errors, MAX_ERRORS_IN_VERSION)
}

function sequenceOf(raw: RawObject): number | undefined {
  const sent = raw.seq === null || raw.seq === '' ? Number.NaN : lenientNumber(raw.seq)
  if (sent >= 0) return Math.floor(sent)
  if (raw.init === true) return 0
  const seconds = parseTimestamp(raw.timestamp)
  return seconds === undefined ? undefined : Math.round(seconds * 1000)
}

/** More than a process can answer in a minute: then it is no count. */
const MAX_SESSIONS_A_MINUTE = 10_000_000
const COUNTED = ['exited', 'errored', 'unhandled', 'abnormal', 'crashed'] as const

/** Sessions that ended, of one minute and one user or none. Undefined: it cannot be read. `none`: it counts nothing. */
export function readAggregate(raw: unknown, clock: Clock): Session | 'none' | undefined {
  if (!isObject(raw)) return undefined
  const startedMs = readStarted(raw.started, clock)
  if (startedMs === undefined) return undefined
  const counts = COUNTED.map((name) => raw[name] ?? 0)
  if (!counts.every(isCount)) return undefined
  const [healthy = 0, errored = 0, unhandled = 0, abnormal = 0, crashed = 0] = counts
  if (counts.every((count) => count === 0)) return 'none'
  return {
    healthy,
    errored,
    unhandled,
    abnormal,
    crashed,
    startedMs: Math.floor(startedMs / MINUTE_MS) * MINUTE_MS,
    sessionId: undefined,
    user: textOf(raw.did, MAX_USER_CHARS),
    status: 'counted',
    errors: 0,
    durationMs: undefined,
    version: 0,
  }
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_SESSIONS_A_MINUTE

function readStarted(raw: unknown, { receivedMs, shiftMs }: Clock): number | undefined {
  const seconds = parseTimestamp(raw)
  if (seconds === undefined) return undefined
  const startedMs = Math.round(seconds * 1000) + shiftMs
  const isPossible = startedMs <= receivedMs + MAX_AHEAD_MS && startedMs >= receivedMs - MAX_AGE_MS
  return isPossible ? startedMs : undefined
}

const QUARTER_MS = 15 * MINUTE_MS
/**
 * Time zones are whole quarters of an hour, and they are what clocks are wrong by; the exact drift would differ between the
 * updates of one session by how long each was on its way.
 */
export const wholeQuarters = (shiftSec: number): number =>
  Math.round((shiftSec * 1000) / QUARTER_MS) * QUARTER_MS

function textOf(raw: unknown, maxChars: number): string {
  const text = lenientText(raw)
  return text === undefined ? '' : cleanText(text.slice(0, maxChars)).trim()
}

function countOf(raw: unknown): number {
  const count = raw === null ? 0 : Math.floor(lenientNumber(raw))
  return count > 0 ? Math.min(count, MAX_ERRORS) : 0
}
