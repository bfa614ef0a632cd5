/** The operator's page "Backups": what there is, what was done, and what an operator asks for. */
import type { Grant } from '@sonde/access'
import type { Clock, Logger } from '@sonde/base'
import { type BackupPlanInput, noteBackupAsked, saveBackupPlan } from '@sonde/commands'
import type { Records } from '@sonde/stores'
import type { BackupParts, OperatorBackup, OperatorBackups } from '@sonde/web/server'
import { isWell, judgeBackups } from './backup-health.ts'
import { type BackupPlace, troubleOf } from './backup-place.ts'
import type { BackupRun } from './backup-runs.ts'
import { nextDueMs, warnAfterMs } from './backup-times.ts'
import type { BackupWork } from './backup-work.ts'
import { type DueWork, verdictOf } from './due-work.ts'
import type { BackupSummary } from './manifest.ts'
import { openTarget } from './open-target.ts'
import type { ListedBackup } from './repository.ts'
import { seeBackups } from './see-backups.ts'
import { unkeptBackups } from './unkept-backups.ts'

type Needs = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly work: BackupWork
}
type OperatorGrant = Grant<'operate', 'operator'>

const SHOWN_RUNS = 30
/** A page does not wait longer for a bucket that does not answer. */
const LIST_MS = 5_000

export function createOperatorBackups({ records, clock, logger, work }: Needs): BackupParts {
  const { place } = work
  return {
    async look(_grant: OperatorGrant): Promise<OperatorBackups> {
      const [seen, listed] = await Promise.all([seeBackups({ records, clock }, place), listBackups(place)])
      const { plan, runs, nowMs } = seen
      const health = judgeBackups(seen)
      const backups = listed.found.map((each) => shownBackup(each, runs)).toReversed()
      const summaries = listed.found.flatMap(({ summary }) => summary ?? [])
      const ids = unkeptBackups(plan, summaries)
      return {
        atMs: nowMs,
        plan,
        place: shownPlace(place),
        isWell: isWell(health),
        detail: health.detail,
        last: backups.find(({ isReadable }) => isReadable),
        nextMs: nextDueMs(plan, nowMs),
        warnAfterMs: warnAfterMs(plan),
        running: work.running(),
        backups,
        trouble: listed.trouble,
        unkept: { ids, bytes: bytesOnlyOf(new Set(ids), summaries) },
        runs: runs.slice(0, SHOWN_RUNS).map((run) => ({
          id: run.id,
          kind: run.kind,
          startedMs: run.startedMs,
          finishedMs: run.finishedMs,
          trouble: run.trouble,
          result: resultOf(run),
        })),
      }
    },
    async start(grant: OperatorGrant, asked: DueWork) {
      const started = work.run(asked)
      // What is refused is refused at once; the rest ends later, and stands in the list of runs then.
      started.catch((error: unknown) => logger.warn({ err: error, work: asked.kind }, 'backups: this failed'))
      await Promise.race([started, work.running() ? undefined : started])
      const subject = asked.kind === 'verify' ? asked.id : place.kind === 'set' ? place.target.name : ''
      await noteBackupAsked({ records, clock }, grant, asked.kind, subject)
    },
    async save(grant: OperatorGrant, input: Partial<BackupPlanInput>) {
      await saveBackupPlan({ records, clock }, grant, input)
    },
  }
}

function shownPlace(place: BackupPlace): OperatorBackups['place'] {
  if (place.kind !== 'set') return place
  return { kind: 'set', name: place.target.name, isEncrypted: place.target.keyFile !== undefined }
}

type Listed = { readonly found: readonly ListedBackup[]; readonly trouble: string }

async function listBackups(place: BackupPlace): Promise<Listed> {
  if (place.kind !== 'set') return { found: [], trouble: '' }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${LIST_MS / 1_000} s`)), LIST_MS)
  try {
    const listing = openTarget(place.target).then((repository) => repository.list())
    const found = await Promise.race([listing, late.promise])
    return { found: found.toSorted((a, b) => momentOf(a) - momentOf(b)), trouble: '' }
  } catch (error) {
    return { found: [], trouble: troubleOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

const momentOf = ({ summary }: ListedBackup): number => summary?.createdMs ?? 0

function shownBackup({ id, summary }: ListedBackup, runs: readonly BackupRun[]): OperatorBackup {
  const check = runs.find((run) => verdictOf(run)?.id === id)
  const { records = {}, telemetry = {} } = summary?.counts ?? {}
  const rows = [...Object.values(records), ...Object.values(telemetry)]
  return {
    id,
    isReadable: summary !== undefined,
    createdMs: summary?.createdMs ?? 0,
    version: summary?.version ?? '',
    bytes: summary?.bytes ?? 0,
    storedBytes: summary?.storedBytes ?? 0,
    newBytes: summary?.newBytes ?? 0,
    rows: rows.reduce((sum, count) => sum + count, 0),
    tookMs: summary?.tookMs ?? 0,
    pausedMs: summary?.pausedMs ?? 0,
    recipients: summary?.recipients ?? [],
    verified: check && { atMs: check.startedMs, isGood: verdictOf(check)?.ok === true },
  }
}

/** What is free once they are gone: backups share what did not change. */
function bytesOnlyOf(ids: ReadonlySet<string>, summaries: readonly BackupSummary[]): number {
  const pieces = (isGone: boolean) =>
    new Map(summaries.filter(({ id }) => ids.has(id) === isGone).flatMap((each) => each.pieces))
  const needed = pieces(false)
  return [...pieces(true)].reduce((sum, [sha256, bytes]) => (needed.has(sha256) ? sum : sum + bytes), 0)
}

function resultOf(run: BackupRun): string {
  if (run.finishedMs === undefined || run.trouble !== '') return ''
  if (run.kind === 'verify')
    return verdictOf(run)?.ok ? `${run.backupId} can be restored` : `${run.backupId} is damaged`
  if (run.kind === 'create') return run.backupId
  const { removed = [] } = (run.detail ?? {}) as { removed?: readonly string[] }
  return removed.length === 0 ? 'nothing to delete' : `${removed.length} deleted`
}
