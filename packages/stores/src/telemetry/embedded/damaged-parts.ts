/**
 * Parts whose bytes are not what was written. A query over one fails, and so does every merge with it: so the part is
 * checked, taken out of its table into the folder `detached` beside it, and told about; the rest of the table works. The
 * engine does the same by itself with parts that it cannot load as it starts. Nothing here deletes anything.
 */
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@sonde/base'
import { engineErrorCode } from '../engine-error.ts'

export type DamagedPart = {
  readonly table: string
  readonly part: string
  /** Undefined where what is left of the part does not say. */
  readonly rows: number | undefined
  readonly bytes: number
  /** Where it lies now. */
  readonly path: string
}

/** https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const DAMAGE_CODES: readonly number[] = [
  32, // ATTEMPT_TO_READ_AFTER_EOF
  33, // CANNOT_READ_ALL_DATA
  40, // CHECKSUM_DOESNT_MATCH
  74, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  107, // FILE_DOESNT_EXIST
  226, // NO_FILE_IN_DATA_PART
  246, // CORRUPTED_DATA
  271, // CANNOT_DECOMPRESS
  432, // UNKNOWN_CODEC
]

const isDamage = (error: unknown): boolean => DAMAGE_CODES.includes(engineErrorCode(error) ?? -1)

type Suspect = { readonly uuid: string; readonly part: string }
/** Only the path names the part: `store/abc/<uuid of the table>/<part>/`. What it says is checked before anything is done. */
const PART_PATH = /\/([\da-f]{8}-[\da-f-]{27})\/([\w-]{1,150})\//g

export const suspectsIn = (message: string): Suspect[] =>
  [...message.matchAll(PART_PATH)].map(([, uuid = '', part = '']) => ({ uuid, part }))

type Engine = {
  query<Row>(sql: string, params?: Readonly<Record<string, unknown>>): Promise<Row[]>
  command(sql: string): Promise<void>
}

/** Looked for beside what fails: a merge fails where nobody asks. */
const LOOK_EVERY_MS = 60_000

export function watchDamage(engine: Engine, logger: Logger) {
  const waiting = new Map<string, Suspect>()
  let working: Promise<void> | undefined
  let isClosed = false

  const setAside = async ({ uuid, part }: Suspect): Promise<void> => {
    const [table] = await engine.query<{ name: string; path: string }>(
      `SELECT name, data_paths[1] AS path FROM system.tables
       WHERE database = currentDatabase() AND endsWith(data_paths[1], {folder:String})`,
      { folder: `/${uuid}/` },
    )
    // Merged away, or set aside already.
    const active = 'SELECT 1 FROM system.parts WHERE active AND database = currentDatabase()'
    const params = { table: table?.name ?? '', part }
    const isThere = await engine.query(
      `${active} AND table = {table:String} AND name = {part:String}`,
      params,
    )
    if (!table || isThere.length === 0) return
    const checked = await engine.query<{ is_passed: number }>(
      `CHECK TABLE ${table.name} PART '${part}' SETTINGS check_query_single_value_result = 0`,
    )
    if (checked.every((row) => row.is_passed === 1)) return
    await engine.command(`ALTER TABLE ${table.name} DETACH PART '${part}'`)
    const detached = join(table.path, 'detached')
    // As the engine names those that it sets aside itself: apart from what an operator detached.
    await rename(join(detached, part), join(detached, `broken_${part}`))
    logger.error(
      { table: table.name, part, path: join(detached, `broken_${part}`) },
      'a part of the telemetry store is damaged and was set aside; the rest works',
    )
  }

  const work = async (): Promise<void> => {
    for (const [id, suspect] of waiting) {
      if (isClosed) return
      waiting.delete(id)
      await setAside(suspect).catch((error: unknown) =>
        logger.error({ err: error, part: suspect.part }, 'a suspected part could not be checked'),
      )
    }
  }
  const suspect = (message: string): void => {
    for (const each of suspectsIn(message)) waiting.set(`${each.uuid} ${each.part}`, each)
    if (waiting.size === 0 || isClosed) return
    working ??= work().finally(() => (working = undefined))
  }
  /** What failed since the start, merges included: the last failure of each kind. */
  const look = async (): Promise<void> => {
    const rows = await engine.query<{ message: string }>(
      'SELECT last_error_message AS message FROM system.errors WHERE code IN {codes:Array(Int32)}',
      { codes: DAMAGE_CODES },
    )
    for (const { message } of rows) suspect(message)
  }
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref()

  return {
    /** For what a query or an insert threw; returns at once. */
    noticed(error: unknown): void {
      if (isDamage(error)) suspect((error as Error).message)
    },
    /** What was set aside and still lies there, now or at a start. */
    async list(): Promise<DamagedPart[]> {
      await look()
      await working
      const rows = await engine.query<{ table: string; name: string; bytes: number; path: string }>(
        `SELECT table, name, bytes_on_disk AS bytes, path FROM system.detached_parts
         WHERE database = currentDatabase() AND reason LIKE 'broken%' ORDER BY table, name`,
      )
      return Promise.all(
        rows.map(async ({ table, name, bytes, path }) => ({
          table,
          part: name.replace(/^broken[a-z-]*_/, ''),
          rows: await rowsOf(path),
          bytes,
          path,
        })),
      )
    },
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await working
    },
  }
}

/** The part says itself how many rows it has, in a file that is rarely what broke. */
async function rowsOf(path: string): Promise<number | undefined> {
  const text = await readFile(join(path, 'count.txt'), 'utf8').catch(() => '')
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
