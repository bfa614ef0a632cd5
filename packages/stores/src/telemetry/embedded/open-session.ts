/** Opens the engine's data folder, once per process, and says who has it when that fails. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SondeError } from '@sonde/base'
import { Session } from 'chdb'

/** Throws `SondeError`: `conflict` when another process has the folder open, `unavailable` for anything else. */
export function openSession(dir: string, args: readonly string[]): Session {
  const operation = 'open the telemetry store'
  try {
    mkdirSync(dir, { recursive: true })
    if (holderOf(dir) === undefined) forgetOrphanedTokens(dir)
    return new Session(dir, { connectionArgs: args })
  } catch (cause) {
    const holder = holderOf(dir)
    if (holder !== undefined) {
      throw new SondeError('conflict', `${operation}: process ${holder} has ${dir} open`, {
        operation,
        subject: dir,
        cause,
        hint: `only one process can open it: stop process ${holder}, or ask the Sonde that runs instead of opening a second one`,
      })
    }
    throw new SondeError('unavailable', `${operation}: ${(cause as Error).message} (${dir})`, {
      operation,
      subject: dir,
      cause,
      hint: 'see the line the engine printed above; the folder must be writable and of this or an older version',
    })
  }
}

/** The engine locks `status` and writes its process id into it; it prints the reason only to stderr. */
function holderOf(dir: string): number | undefined {
  const status = join(dir, 'status')
  try {
    const pid = Number(/^PID: (\d+)/m.exec(readFileSync(status, 'utf8'))?.[1])
    const isOther = Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid
    return isOther && (isLocked(status) ?? isAlive(pid)) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Undefined where the system does not say. The id alone misleads: a restarted container gives it to somebody else. */
function isLocked(path: string): boolean | undefined {
  if (!existsSync('/proc/locks')) return undefined
  return readFileSync('/proc/locks', 'utf8').includes(`:${statSync(path).ino} `)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/*
 * The engine writes an insert's token before it renames the finished part into place. A process killed in between
 * leaves a token without rows: the repeated batch would be taken for a duplicate and lost. So before the engine opens,
 * tokens at the end of each log whose part is not there get the record that the engine itself writes when a part is
 * dropped. Lines are `operation \t part \t block id`; 1 adds, 2 drops
 * (https://github.com/ClickHouse/ClickHouse/blob/master/src/Storages/MergeTree/MergeTreeDeduplicationLog.cpp).
 */
// One insert at a time per table, one part per week that it touches; older tokens were flushed with their part.
const LAST_LINES = 16

/** Only while the folder is not open. Returns the block ids it took back. */
function forgetOrphanedTokens(dir: string): string[] {
  return tableDirs(dir).flatMap((table) => {
    const logs = join(table, 'deduplication_logs')
    const newest = existsSync(logs) ? newestLog(readdirSync(logs)) : undefined
    return newest === undefined ? [] : forgetIn(join(logs, newest), readdirSync(table))
  })
}

function forgetIn(path: string, parts: readonly string[]): string[] {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n').slice(0, -1).slice(-LAST_LINES)
  const records = lines.map((line) => line.split('\t')).filter((record) => record.length === 3)
  const dropped = new Set(records.filter(([operation]) => operation === '2').map(([, , block]) => block))
  const orphans = records.filter(
    ([operation, part, block]) => operation === '1' && !dropped.has(block) && !isThere(part ?? '', parts),
  )
  if (orphans.length === 0) return []
  const file = openSync(path, 'a')
  try {
    writeSync(file, orphans.map(([, part, block]) => `2\t${part}\t${block}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return orphans.map(([, , block]) => block ?? '')
}

/** There itself, or merged into one whose range of blocks holds it. Parts: `partition_first_last_level[_mutation]`. */
function isThere(part: string, parts: readonly string[]): boolean {
  const wanted = rangeOf(part)
  return parts.some((other) => {
    const range = rangeOf(other)
    if (!wanted || range?.partition !== wanted.partition) return false
    return range.first <= wanted.first && range.last >= wanted.last
  })
}

function rangeOf(part: string): { partition: string; first: number; last: number } | undefined {
  const match = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(part)
  return match ? { partition: match[1] ?? '', first: Number(match[2]), last: Number(match[3]) } : undefined
}

/** `store/abc/abcdef…/`: one folder per table. */
function tableDirs(dir: string): string[] {
  const store = join(dir, 'store')
  if (!existsSync(store)) return []
  return readdirSync(store).flatMap((prefix) =>
    readdirSync(join(store, prefix)).map((table) => join(store, prefix, table)),
  )
}

/**
 * What the engine leaves in the page cache after an insert, seen with strace: its line in `deduplication_logs/` (a
 * part that survives a power cut without its token would be inserted again with the repeated batch) and the table's
 * folder, into which the finished part was renamed.
 */
export async function flushInsert(tableDir: string): Promise<void> {
  const logs = join(tableDir, 'deduplication_logs')
  const newest = newestLog(await readdir(logs))
  const paths = [...(newest === undefined ? [] : [join(logs, newest)]), logs, tableDir]
  await Promise.all(paths.map(flush))
}

/** `deduplication_log_<n>.txt`, with the highest number. */
function newestLog(names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => numberIn(a) - numberIn(b)).at(-1)
}

const numberIn = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0)

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
