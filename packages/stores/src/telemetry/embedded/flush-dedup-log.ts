/**
 * The engine writes the tokens it has seen to `deduplication_logs/` but does not flush them. A part that survives a
 * power cut whose token does not would be inserted again with the repeated batch, so the token goes to disk before
 * the insert counts as done.
 */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export async function flushDedupLog(tableDir: string): Promise<void> {
  const dir = join(tableDir, 'deduplication_logs')
  const names = await readdir(dir)
  const newest = names.toSorted((a, b) => numberIn(a) - numberIn(b)).at(-1)
  for (const path of newest === undefined ? [] : [join(dir, newest), dir]) {
    const file = await open(path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

const numberIn = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0)
