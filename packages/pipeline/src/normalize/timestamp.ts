import { invalid, remark, type Scope } from './meta-remarks.ts'

/**
 * When an event happened, given that its clock may be wrong. A drift of 55 minutes or more between `sent_at` and the
 * arrival is taken out (smaller ones are network delay); what still lies outside the window that is kept is set to
 * the arrival. Every other time of the event is moved by the same amount.
 */
const MIN_DRIFT_SEC = 55 * 60
const DAY_SEC = 86_400

type ClockContext = {
  readonly receivedMs: number
  readonly sentAtMs?: number | undefined
  readonly retentionDays: number
  readonly maxFutureSec?: number | undefined
}
type Clocked = { readonly timestamp: number; readonly received: number; readonly shiftSec: number }

/** What has to be added to every time of an item, in seconds; 0 for a clock that is about right. */
export function clockShiftSec({
  receivedMs,
  sentAtMs,
}: Pick<ClockContext, 'receivedMs' | 'sentAtMs'>): number {
  const drift = sentAtMs === undefined ? 0 : (receivedMs - sentAtMs) / 1000
  return Math.abs(drift) >= MIN_DRIFT_SEC ? drift : 0
}

export function clockEvent(scope: Scope, raw: unknown, context: ClockContext): Clocked {
  const received = context.receivedMs / 1000
  const sent = raw === undefined || raw === null || raw === '' ? undefined : parseTimestamp(raw)
  if (sent === undefined && raw !== undefined && raw !== null && raw !== '') invalid(scope, 'timestamp', raw)

  const shiftSec = clockShiftSec(context)
  if (shiftSec !== 0) remark(scope, 'timestamp', 'clock_drift', '!clock')
  if (sent === undefined) return { timestamp: received, received, shiftSec }

  const moved = sent + shiftSec
  if (moved > received + (context.maxFutureSec ?? 60)) {
    remark(scope, 'timestamp', 'future_timestamp', '!clock')
    return { timestamp: received, received, shiftSec: received - sent }
  }
  if (moved < received - context.retentionDays * DAY_SEC) {
    remark(scope, 'timestamp', 'past_timestamp', '!clock')
    return { timestamp: received, received, shiftSec: received - sent }
  }
  return { timestamp: moved, received, shiftSec }
}

/**
 * Times as SDKs write them → Unix seconds. RFC 3339 text (without an offset: UTC), seconds as number or numeric text.
 * Digits below a millisecond are kept. Undefined for anything else.
 */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)([.,]\d{1,12})?)?)?\s?([Zz]|UTC|[+-]\d\d(?::?\d\d)?)?$/

// Beyond year 5138 in seconds: nobody means that. Hand-made events use milliseconds, some loggers finer units.
const SECONDS_END = 1e11

export function parseTimestamp(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (text === '' || text.length > 64) return undefined
  if (/^-?\d+(\.\d+)?$/.test(text)) return fromNumber(Number(text))
  return fromText(text)
}

function fromNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined
  let seconds = value
  while (seconds >= SECONDS_END) seconds /= 1000
  return seconds
}

function fromText(text: string): number | undefined {
  const match = RFC_3339.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction, zone] = match
  const ms = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  const date = new Date(ms)
  // Date.UTC rolls 31 February over into March; second 60 may roll on, it exists.
  const rolled = date.getUTCMonth() !== Number(month) - 1 || Number(hour) > 24 || Number(minute) > 59
  if (Number.isNaN(ms) || (rolled && Number(second) < 60)) return undefined
  const seconds = ms / 1000 - offsetSec(zone) + (fraction ? Number(`0.${fraction.slice(1)}`) : 0)
  return seconds < 0 ? undefined : seconds
}

function offsetSec(zone: string | undefined): number {
  if (zone === undefined || !/^[+-]/.test(zone)) return 0
  const digits = zone.slice(1).replace(':', '')
  const size = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4) || '0') * 60
  return zone.startsWith('-') ? -size : size
}

// As for errors: a minute ahead is a clock that is about right.
const MAX_ITEM_AHEAD_MS = 60_000
const DAY_MS = 86_400_000

/**
 * What has to be taken out of the times of an item whose last one is `lastMs`: 0, unless the sender's clock is ahead, or
 * so far behind that its rows would be gone at once, and the sender does not say when it sent.
 */
export function unreachableByMs(lastMs: number, receivedMs: number, retentionDays: number): number {
  const aheadMs = lastMs - receivedMs
  return aheadMs <= MAX_ITEM_AHEAD_MS && aheadMs >= -retentionDays * DAY_MS ? 0 : aheadMs
}
