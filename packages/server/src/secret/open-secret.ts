/** The installation's secret key: read from its file, made at the first start, moved there from older records. */
import { SECRET_CHECK, secretCheck } from '@sonde/access'
import type { Logger } from '@sonde/base'
import { type OpenRecords, type Records, writeTransaction } from '@sonde/stores'
import {
  dropNextSecret,
  newSecret,
  nextSecretFile,
  readSecretFile,
  refused,
  useNextSecret,
  writeSecretFile,
} from './secret-file.ts'

/** Where older versions kept the key itself. */
const LEGACY = 'auth_secret'
/** The key has left the table, and its bytes are still to leave the file of the records. */
const TO_SWEEP = 'auth_secret_to_sweep'

type Opened = Pick<OpenRecords, 'db' | 'eraseDeleted'>

/**
 * Safe when several processes start at once: the records' write lock is taken first. Throws `SondeError` (`config`) when
 * the file is missing or another than the records were written with, and says what to do.
 */
export async function openSecret(
  { db, eraseDeleted }: Opened,
  file: string,
  logger: Logger,
): Promise<string> {
  const { secret, toSweep, isMoved } = await writeTransaction(db, async (tx) => {
    // The file is written before the records say so, and found there by whoever comes again: doing this twice changes
    // nothing. Of two processes that start at once the second waits here: a row that is always there is locked.
    await tx
      .updateTable('settings_epoch')
      .set((row) => ({ value: row.ref('value') }))
      .execute()
    const [legacy, check] = [await setting(tx, LEGACY), await setting(tx, SECRET_CHECK)]
    endRotation(file, check)
    const inFile = readSecretFile(file)
    const found = legacy === undefined ? own(file, inFile, check) : moved(file, inFile, legacy)
    if (inFile === undefined) writeSecretFile(file, found)
    if (check === undefined) await put(tx, SECRET_CHECK, secretCheck(found))
    if (legacy !== undefined) {
      await tx.deleteFrom('setting').where('name', '=', LEGACY).execute()
      await put(tx, TO_SWEEP, '')
    }
    return {
      secret: found,
      toSweep: (await setting(tx, TO_SWEEP)) !== undefined,
      isMoved: legacy !== undefined,
    }
  })
  if (isMoved) logger.info({ file }, 'the secret key left the records and lies in a file of its own')
  if (toSweep) {
    try {
      await eraseDeleted()
      await db.deleteFrom('setting').where('name', '=', TO_SWEEP).execute()
    } catch (error) {
      logger.warn(
        { err: error },
        'the old secret key may still lie in free pages of the records; trying again',
      )
    }
  }
  return secret
}

function own(file: string, inFile: string | undefined, check: string | undefined): string {
  if (inFile === undefined && check !== undefined)
    throw refused(file, 'it is missing, and the records were written with it', RESTORE)
  if (inFile !== undefined && check !== undefined && check !== secretCheck(inFile))
    throw refused(file, 'it is not the one that the records were written with', RESTORE)
  return inFile ?? newSecret()
}

function moved(file: string, inFile: string | undefined, legacy: string): string {
  if (inFile === undefined || inFile === legacy) return legacy
  throw refused(
    file,
    'the records hold another one',
    'move this file away and start: the key of the records is put there; `sonde secret rotate` then makes a new one',
  )
}

const RESTORE =
  'restore it from a backup, or name where it lies in SONDE_SECRET_FILE. If it is lost: `sonde secret rotate --lost` makes a new one, ends all sessions and turns two-factor sign-in off'

/** A rotation that was cut off: the records say which of the two keys they were written with. */
export function endRotation(file: string, check: string | undefined): void {
  const next = readSecretFile(nextSecretFile(file))
  if (next === undefined) return
  if (check === secretCheck(next)) useNextSecret(file)
  else dropNextSecret(file)
}

export async function setting(tx: Records, name: string): Promise<string | undefined> {
  const row = await tx.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

async function put(tx: Records, name: string, value: string): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
