/** What the schedule asks for now. Pure. What failed is tried again, later each time. */
import type { BackupPlan } from '@sonde/commands'
import type { BackupRun } from './backup-runs.ts'
import { lastDueMs } from './backup-times.ts'
import { keepsAll } from './unkept-backups.ts'

export type DueWork = { readonly kind: 'create' | 'prune' } | { readonly kind: 'verify'; readonly id: string }

const FIRST_RETRY_MS = 5 * 60_000
const LONGEST_RETRY_MS = 2 * 3_600_000
const WEEK_MS = 7 * 24 * 3_600_000

/** `runs`: of the place that the schedule writes to, the newest first. */
export function dueWork(plan: BackupPlan, runs: readonly BackupRun[], nowMs: number): DueWork | undefined {
  if (plan.schedule === 'off') return undefined
  const good = lastGood(runs)
  const dueMs = lastDueMs(plan, nowMs) ?? 0
  const isMissing = dueMs >= plan.sinceMs && (good === undefined || good.startedMs < dueMs)
  if (isMissing && maySince(runs, 'create', dueMs, nowMs)) return { kind: 'create' }
  if (!good) return undefined
  const madeMs = good.finishedMs ?? good.startedMs
  const isPruned = runs.some((run) => run.kind === 'prune' && isDone(run) && run.startedMs >= madeMs)
  if (!keepsAll(plan) && !isPruned && maySince(runs, 'prune', madeMs, nowMs)) return { kind: 'prune' }
  if (isVerifyDue(plan, runs, good, nowMs) && maySince(runs, 'verify', madeMs, nowMs))
    return { kind: 'verify', id: good.backupId }
  return undefined
}

/** The last backup that was made. */
export const lastGood = (runs: readonly BackupRun[]): BackupRun | undefined =>
  runs.find((run) => run.kind === 'create' && isDone(run))

/** What a verify run found, when it found something. */
export function verdictOf({ kind, detail }: BackupRun): Verdict | undefined {
  return kind === 'verify' && typeof detail === 'object' && detail !== null ? (detail as Verdict) : undefined
}
type Verdict = { readonly id: string; readonly ok: boolean; readonly quick: boolean }

const isDone = ({ finishedMs, trouble }: BackupRun): boolean => finishedMs !== undefined && trouble === ''

function isVerifyDue(
  { verify }: BackupPlan,
  runs: readonly BackupRun[],
  good: BackupRun,
  nowMs: number,
): boolean {
  if (verify === 'never') return false
  const verified = runs.filter((run) => verdictOf(run)?.quick === false)
  return verify === 'each'
    ? !verified.some((run) => run.backupId === good.backupId)
    : !verified.some(({ startedMs }) => startedMs > nowMs - WEEK_MS)
}

/** What failed since then is tried again after 5 minutes, 10, 20 and so on. */
function maySince(
  runs: readonly BackupRun[],
  kind: BackupRun['kind'],
  sinceMs: number,
  nowMs: number,
): boolean {
  const failed = runs.filter((run) => run.kind === kind && run.trouble !== '' && run.startedMs >= sinceMs)
  const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failed.length - 1))
  return failed.length === 0 || nowMs >= (failed[0]?.finishedMs ?? 0) + waitMs
}
