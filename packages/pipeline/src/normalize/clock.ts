/**
 * When an event happened, given that its clock may be wrong. A drift of 55 minutes or more between `sent_at` and the
 * arrival is taken out (smaller ones are network delay); what still lies outside the window that is kept is set to
 * the arrival. Every other time of the event is moved by the same amount.
 */
import { parseTimestamp } from './timestamp.ts'
import { invalid, remark, type Scope } from './scope.ts'

const MIN_DRIFT_SEC = 55 * 60
const DAY_SEC = 86_400

export type ClockContext = {
  readonly receivedMs: number
  readonly sentAtMs?: number | undefined
  readonly retentionDays: number
  readonly maxFutureSec?: number | undefined
}
export type Clocked = { readonly timestamp: number; readonly received: number; readonly shiftSec: number }

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
