/** Whether there is a backup that is young enough and can be restored: for the doctor, the screen and the mails. Pure. */
import type { BackupPlan } from '@sonde/commands'
import type { PartReport } from '../doctor/report.ts'
import type { BackupPlace } from './backup-place.ts'
import type { BackupRun } from './backup-runs.ts'
import { nextDueMs, warnAfterMs } from './backup-times.ts'
import { lastGood, verdictOf } from './due-work.ts'

export type BackupHealth = {
  readonly kind: 'unwatched' | 'ok' | 'unset' | 'late' | 'failed' | 'damaged'
  /** One sentence; where something is wrong, with the next step. */
  readonly detail: string
}

export type BackupsSeen = {
  readonly plan: BackupPlan
  readonly place: BackupPlace
  /** Of that place, the newest first; of all places where none is set. */
  readonly runs: readonly BackupRun[]
  readonly nowMs: number
}

const LOOK = 'Settings, Backups shows every run; `sonde backup create` tries it now and says what is wrong'

export function judgeBackups({ plan, place, runs, nowMs }: BackupsSeen): BackupHealth {
  const good = lastGood(runs)
  const goodMs = good && momentOf(good)
  const limitMs = warnAfterMs(plan)
  const last = goodMs === undefined ? 'no backup yet' : `last backup ${spanText(nowMs - goodMs)} ago`
  if (limitMs === undefined)
    return { kind: 'unwatched', detail: `${last}, no schedule: \`sonde backup schedule\` sets one` }
  if (plan.schedule !== 'off' && place.kind !== 'set') {
    const why =
      place.kind === 'refused'
        ? `the place for them cannot be used: ${place.trouble}`
        : 'SONDE_BACKUP_TO is not set: set it to a folder on another disk or to a bucket'
    return { kind: 'unset', detail: `backups are scheduled, but ${why}. Then restart Sonde.` }
  }
  const damaged = lastVerdict(runs)
  if (damaged)
    return {
      kind: 'damaged',
      detail: `backup ${damaged} cannot be restored: \`sonde backup verify ${damaged}\` says why. Check the disk or bucket, and back up to another place (SONDE_BACKUP_TO) meanwhile.`,
    }
  const failed = runs.find(({ kind, finishedMs }) => kind === 'create' && finishedMs !== undefined)
  const trouble = failed && failed.trouble !== '' ? failed.trouble : undefined
  if (nowMs - (goodMs ?? plan.sinceMs) > limitMs) {
    const what =
      goodMs === undefined
        ? `no backup was made in ${spanText(nowMs - plan.sinceMs)}`
        : `the last good backup is ${spanText(nowMs - goodMs)} old`
    const why = trouble === undefined ? '' : ` The last try failed: ${trouble}.`
    return { kind: 'late', detail: `${what}, more than ${spanText(limitMs)}.${why} ${LOOK}.` }
  }
  if (trouble !== undefined)
    return {
      kind: 'failed',
      detail: `the last backup failed: ${trouble}. ${last}. It is tried again by itself. ${LOOK}.`,
    }
  const nextMs = nextDueMs(plan, nowMs)
  const next = nextMs === undefined ? '' : `, next one ${timeText(nextMs)}`
  return { kind: 'ok', detail: `${last}${next}` }
}

export const isWell = ({ kind }: BackupHealth): boolean => kind === 'ok' || kind === 'unwatched'

/** A line of the doctor. */
export const backupsPart = (health: BackupHealth): PartReport => ({
  name: 'backups',
  state: isWell(health) ? 'ok' : 'degraded',
  detail: health.detail,
})

/** The moment that a backup is of. */
export function momentOf({ detail, startedMs }: BackupRun): number {
  const { createdMs } = (detail ?? {}) as { createdMs?: unknown }
  return typeof createdMs === 'number' ? createdMs : startedMs
}

/** The id that the last check found damaged, unless a newer check says otherwise. */
function lastVerdict(runs: readonly BackupRun[]): string | undefined {
  const verdict = runs.map(verdictOf).find((each) => each !== undefined)
  return verdict?.ok === false ? verdict.id : undefined
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** `5 min`, `7 h`, `3 d`; days only when hours say little. */
export function spanText(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.floor(ms / MINUTE_MS))} min`
  return ms < 72 * HOUR_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / 24 / HOUR_MS)} d`
}

const timeText = (atMs: number): string =>
  `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
