/** What the system says about a process. Linux only: elsewhere the figures that need it are left out. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

export type Memory = { readonly rssBytes: number; readonly privateBytes: number }

/** The rest of RSS are pages of files (programs, libraries), which the system may drop and read again. */
export function memoryOf(pid: number): Memory | undefined {
  const text = read(`/proc/${pid}/smaps_rollup`)
  if (text === undefined) return undefined
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return {
    rssBytes: kilobytes('Rss') * 1024,
    privateBytes: kilobytes('Anonymous') * 1024,
  }
}

// USER_HZ is 100 on every Linux that Node runs on.
const MS_PER_TICK = 10
const USER_TICKS = 11
const SYSTEM_TICKS = 12

/** Processor time of all threads since the process began. */
export function cpuMsOf(pid: number): number | undefined {
  const fields = read(`/proc/${pid}/stat`)?.split(') ')[1]?.split(' ')
  if (!fields) return undefined
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK
}

/** Keeps all threads of a process on these processors; false where that cannot be done. */
export function pinTo(pid: number, processors: readonly number[]): boolean {
  return spawnSync('taskset', ['-acp', processors.join(','), String(pid)], { stdio: 'ignore' }).status === 0
}

export function otherProcessors(than: number): number[] {
  const others = cpus().map((_, at) => at)
  return others.length > 1 ? others.filter((at) => at !== than) : others
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
