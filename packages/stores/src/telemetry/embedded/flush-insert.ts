/**
 * What the engine leaves in the page cache after an insert, seen with strace: its line in `deduplication_logs/` (a
 * part that survives a power cut without its token would be inserted again with the repeated batch) and the table's
 * folder, into which the finished part was renamed.
 */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export async function flushInsert(tableDir: string): Promise<void> {
  const logs = join(tableDir, 'deduplication_logs')
  const newest = newestLog(await readdir(logs))
  const paths = [...(newest === undefined ? [] : [join(logs, newest)]), logs, tableDir]
  await Promise.all(paths.map(flush))
}

/** `deduplication_log_<n>.txt`, with the highest number. */
export function newestLog(names: readonly string[]): string | undefined {
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
