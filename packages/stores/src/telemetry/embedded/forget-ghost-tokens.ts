/**
 * The engine writes an insert's token before it renames the finished part into place. A process killed in between
 * leaves a token without rows: the repeated batch would be taken for a duplicate and lost. So before the engine opens,
 * tokens at the end of each log whose part is not there get the record that the engine itself writes when a part is
 * dropped. Lines are `operation \t part \t block id`; 1 adds, 2 drops
 * (https://github.com/ClickHouse/ClickHouse/blob/master/src/Storages/MergeTree/MergeTreeDeduplicationLog.cpp).
 */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { newestLog } from './flush-insert.ts'

// One insert at a time per table, one part per week that it touches; older tokens were flushed with their part.
const LAST_LINES = 16

/** Only while the folder is not open. Returns the block ids it took back. */
export function forgetGhostTokens(dir: string): string[] {
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
  const ghosts = records.filter(
    ([operation, part, block]) => operation === '1' && !dropped.has(block) && !isThere(part ?? '', parts),
  )
  if (ghosts.length === 0) return []
  const file = openSync(path, 'a')
  try {
    writeSync(file, ghosts.map(([, part, block]) => `2\t${part}\t${block}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return ghosts.map(([, , block]) => block ?? '')
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
