/**
 * How full the disk is: operators are told at one mark, at another the oldest data goes until there is room again.
 * docs/decisions/0079-disk-watermarks.md
 */
import type { AccountMailbox } from '@sonde/access'
import type { Bus, Logger } from '@sonde/base'
import { type RunningJob, startJob } from '@sonde/jobs'
import {
  type Blobs,
  type DiskWatchState,
  readStorageState,
  STORAGE_DAY_MS,
  storageDay,
  storageKindInfo,
  STORAGE_KIND_NAMES,
  writeStorageState,
} from '@sonde/stores'
import { tellOperators } from '../tell-operators.ts'
import { type OldestOptions, deleteOldest, oldestStep } from './oldest-data.ts'
import { deleteGarbage } from './sweep-attachments.ts'

export type DiskWatchOptions = OldestOptions & {
  readonly blobs: Pick<Blobs, 'delete'>
  readonly logger: Logger
  readonly bus?: Bus
  readonly disk: () => Promise<{ readonly freeBytes: number; readonly sizeBytes: number }>
  /** Shares of the disk that are used, 0 to 1; 0: never. */
  readonly marks: { readonly warn: number; readonly delete: number }
  readonly mailbox?: Pick<AccountMailbox, 'isOn' | 'queue'>
  readonly publicUrl: string
}

const LOOK_EVERY_MS = 30_000
const STEP_EVERY_MS = 1_000
/** So far below a mark it is over: what hovers at one is not told of again and again. */
const BELOW = 0.02
const TELL_AGAIN_MS = STORAGE_DAY_MS
// `old_parts_lifetime` of the engine is eight minutes: until then nobody knows whether there is room.
const GIVEN_BACK_MS = 10 * 60_000
const STATE = 'disk'
const BEGUN = 'The oldest data is being deleted to make room. A second mail says what went.'

export function startDiskWatch(options: DiskWatchOptions): RunningJob {
  return startJob(options, {
    name: 'disk watch',
    lookEveryMs: LOOK_EVERY_MS,
    async run(signal) {
      const step = await watchDisk(options, signal)
      return step === 'rests' ? 'done' : { againInMs: STEP_EVERY_MS }
    },
  })
}

/** One look, and one step of deleting where that is due. */
export async function watchDisk(
  options: DiskWatchOptions,
  signal: AbortSignal,
): Promise<'rests' | 'goes on'> {
  const { records, clock, disk, marks, logger } = options
  const nowMs = clock.nowMs()
  const { freeBytes, sizeBytes } = await disk()
  const usedBytes = sizeBytes - freeBytes
  const share = usedBytes / Math.max(1, sizeBytes)
  const was = (await readStorageState<DiskWatchState>(records, STATE)) ?? { state: 'ok', sinceMs: nowMs }
  const keep = (state: DiskWatchState): Promise<void> => writeStorageState(records, STATE, state, nowMs)
  const warns = marks.warn > 0 && share >= marks.warn
  const deletes =
    marks.delete > 0 && share >= (was.state === 'deleting' ? marks.delete - BELOW : marks.delete)

  if (deletes) {
    if (was.state === 'deleting' && nowMs < (was.waitsUntilMs ?? 0)) return 'rests'
    const goal = usedBytes - (marks.delete - BELOW) * sizeBytes
    const step = (await deletableBytes(options)) < goal ? undefined : await oldestStep(options)
    if (step) {
      const begun: DiskWatchState =
        was.state === 'deleting' ? was : { state: 'deleting', sinceMs: nowMs, steps: [] }
      if (was.state !== 'deleting') {
        logger.warn({ share }, 'the disk is nearly full: the oldest data goes')
        // Of a disk without any room this fails, which must not keep it from getting some.
        await keep(begun)
          .then(() => tell(options, share, BEGUN))
          .catch((error: unknown) => logger.warn({ err: error }, 'operators could not be told of the disk'))
      }
      if ((await deleteOldest(options, step, signal)) === 'waits') return 'goes on'
      await deleteGarbage(options, signal)
      logger.warn(
        { kind: step.kind, before: dayText(step.beforeMs) },
        'the disk was nearly full: oldest data deleted',
      )
      const waitsUntilMs = step.isDay ? nowMs + GIVEN_BACK_MS : 0
      await keep({ ...begun, steps: stepsWith(begun.steps ?? [], step), waitsUntilMs })
      return 'goes on'
    }
  }
  if (was.state === 'deleting') {
    const what = wentText(was.steps ?? [])
    logger.warn({ share, what }, 'enough of the disk is free again')
    await keep({ ...was, state: warns ? 'warned' : 'ok', sinceMs: nowMs, toldMs: nowMs })
    await tell(options, share, `Deleted to make room: ${what}.`)
  } else if (warns && (was.state === 'ok' || nowMs - (was.toldMs ?? 0) >= TELL_AGAIN_MS)) {
    logger.warn({ share }, 'little of the disk is free')
    await keep({ ...was, state: 'warned', sinceMs: was.state === 'ok' ? nowMs : was.sinceMs, toldMs: nowMs })
    await tell(options, share, nextStep(options, deletes))
  } else if (was.state !== 'ok' && share < marks.warn - BELOW) {
    logger.info({ share }, 'enough of the disk is free again')
    await keep({ ...was, state: 'ok', sinceMs: nowMs })
  }
  return 'rests'
}

/** As last measured; today's stays. Other files on the disk may be what fills it: then nothing is deleted in vain. */
async function deletableBytes({ records, clock, holds }: DiskWatchOptions): Promise<number> {
  const kinds = STORAGE_KIND_NAMES.filter((kind) => {
    const { tables, blobs, goesWhenFull } = storageKindInfo(kind)
    return goesWhenFull && ((holds.telemetry && tables.length > 0) || (holds.blobs && blobs !== undefined))
  })
  const row = await records
    .selectFrom('storage_day')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('kind', 'in', kinds)
    .where('day_ms', '<', storageDay(clock.nowMs()))
    .executeTakeFirst()
  return row?.bytes ?? 0
}

type Step = NonNullable<DiskWatchState['steps']>[number]

/** The last step of each kind says it all: everything before its day. */
const stepsWith = (steps: readonly Step[], { kind, beforeMs }: Step): readonly Step[] => [
  ...steps.filter((each) => each.kind !== kind),
  { kind, beforeMs },
]

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export const wentText = (steps: readonly Step[]): string =>
  steps
    .map(({ kind, beforeMs }) => `${storageKindInfo(kind).name.toLowerCase()} before ${dayText(beforeMs)}`)
    .join(', ')

function nextStep({ marks }: DiskWatchOptions, isInVain: boolean): string {
  if (isInVain)
    return 'Other files fill it: what Sonde could delete would not make enough room. Free up space.'
  const then =
    marks.delete > 0
      ? `At ${Math.round(marks.delete * 100)}% the oldest data is deleted (SONDE_DISK_DELETE).`
      : 'When it is full, new data is refused.'
  return `Free up space, keep less (data retention of projects, SONDE_RETENTION_DAYS), or use a larger disk. ${then}`
}

/** To every operator. Without mail the status page and the log say it. */
async function tell(
  { records, mailbox, publicUrl }: DiskWatchOptions,
  share: number,
  line: string,
): Promise<void> {
  if (!mailbox) return
  const used = `${Math.floor(share * 100)}%`
  await tellOperators(
    { records, mailbox },
    {
      subject: `Sonde: ${used} of the disk is used`,
      heading: `${used} of the disk is used`,
      lines: [line],
      button: { label: 'Open storage', url: `${publicUrl}/settings/storage` },
    },
  )
}
