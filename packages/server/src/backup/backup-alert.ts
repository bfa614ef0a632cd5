/** Tells operators once when backups are not well, again every day while it stays so, and when it is over. */
import type { AccountMailbox } from '@sonde/access'
import type { Clock, Logger } from '@sonde/base'
import { tellOperators } from '@sonde/commands'
import { type Records, writeTransaction } from '@sonde/stores'
import { type BackupHealth, isWell, spanText } from './backup-health.ts'

type Needs = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly mailbox: AccountMailbox
  readonly publicUrl: string
}

type Told = { readonly kind: BackupHealth['kind']; readonly sinceMs: number; readonly toldMs: number }

const SETTING = 'backup.alert'
const REMIND_MS = 24 * 3_600_000

const SUBJECTS: Readonly<Record<BackupHealth['kind'], string>> = {
  ok: 'Sonde: backups are made again',
  unwatched: 'Sonde: backups are no longer watched',
  unset: 'Sonde: there is no place for backups',
  late: 'Sonde: the last good backup is too old',
  failed: 'Sonde: a backup failed',
  damaged: 'Sonde: a backup cannot be restored',
}

export async function alertBackups(needs: Needs, health: BackupHealth): Promise<void> {
  const { records, clock, logger, publicUrl } = needs
  const nowMs = clock.nowMs()
  const before = await readTold(records)
  const isGood = isWell(health)
  if (isGood && !before) return
  const isNew = before?.kind !== health.kind
  if (!isNew && nowMs - before.toldMs < REMIND_MS) return
  if (isNew && !isGood) logger.warn({ detail: health.detail }, 'backups are not well')
  if (isGood) logger.info({ detail: health.detail }, 'backups are well again')
  const sinceMs = before?.sinceMs ?? nowMs
  const subject = SUBJECTS[health.kind]
  await writeTransaction(records, async (tx) => {
    await tellOperators(
      { ...needs, records: tx },
      {
        subject,
        heading: subject,
        lines: [
          health.detail,
          ...(isGood ? [`It was over after ${spanText(nowMs - sinceMs)}.`] : []),
          ...(!isGood && !isNew ? [`It has been so for ${spanText(nowMs - sinceMs)}.`] : []),
        ],
        button: { label: 'Open backups', url: `${publicUrl}/settings/backups` },
      },
    )
    if (isGood) await tx.deleteFrom('setting').where('name', '=', SETTING).execute()
    else await writeTold(tx, { kind: health.kind, sinceMs, toldMs: nowMs })
  })
}

/** Whether operators were told of something that is not over. */
export const isAlerted = async ({ records }: Pick<Needs, 'records'>): Promise<boolean> =>
  (await readTold(records)) !== undefined

async function readTold(records: Records): Promise<Told | undefined> {
  const row = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', SETTING)
    .executeTakeFirst()
  return row && (JSON.parse(row.value) as Told)
}

async function writeTold(records: Records, told: Told): Promise<void> {
  const value = JSON.stringify(told)
  await records
    .insertInto('setting')
    .values({ name: SETTING, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute()
}
