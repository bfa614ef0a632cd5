/** When the next run is expected and when it is missed, and what the end of a run does to an environment's state. Pure. */
import type { CronStateWord } from '@sonde/stores'
import type { CronConfig } from './monitor.ts'
import { nextRunAt } from './schedule.ts'

const MINUTE_MS = 60_000
/** Clocks differ: what comes so little before its time is of that time. */
const EARLY_MS = 30_000

export type Expected = { readonly next_ms: number | null; readonly due_ms: number | null }

export function expectedAfter(config: CronConfig, afterMs: number): Expected {
  const next = nextRunAt(config, afterMs)
  return { next_ms: next, due_ms: next === null ? null : next + config.checkinMargin * MINUTE_MS }
}

/** A run began at `atMs`. */
export function expectedAfterRun(config: CronConfig, { next_ms: next }: Expected, atMs: number): Expected {
  const isEarly = next !== null && next > atMs && next - atMs <= EARLY_MS
  return expectedAfter(config, isEarly && config.schedule.type === 'crontab' ? next : atMs)
}

export type CronStanding = {
  readonly state: CronStateWord
  readonly since_ms: number
  readonly failures: number
  readonly successes: number
  readonly failing_ms: number | null
}

export function standingAfterRun(
  before: CronStanding,
  status: Exclude<CronStateWord, 'new'>,
  { failureIssueThreshold, recoveryThreshold }: CronConfig,
  atMs: number,
): CronStanding & { readonly changed: 'failing' | 'recovered' | undefined } {
  const isOk = status === 'ok'
  const failures = isOk ? 0 : before.failures + 1
  const successes = isOk ? before.successes + 1 : 0
  const counts = { failures, successes }
  const since = { state: status, since_ms: before.state === status ? before.since_ms : atMs }
  if (before.failing_ms === null && failures >= failureIssueThreshold)
    return { ...since, ...counts, failing_ms: atMs, changed: 'failing' }
  if (before.failing_ms !== null && successes >= recoveryThreshold)
    return { ...since, ...counts, failing_ms: null, changed: 'recovered' }
  return { ...since, ...counts, failing_ms: before.failing_ms, changed: undefined }
}
