/** Processor time of a process with everything that it started, from Linux' `/proc`. */
import { readdirSync, readFileSync } from 'node:fs'

// USER_HZ is 100 on every Linux that Node runs on.
const MS_PER_TICK = 10
// Fields of `/proc/PID/stat` after the name: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
const PARENT = 1
/** Own user and system time, and that of children that ended and were waited for. */
const TICKS = [11, 12, 13, 14] as const

export type ProcessTimes = { readonly pid: number; readonly command: string; readonly cpuMs: number }

/** The children of `pid`, each with the time of all its descendants. */
export function childTimes(pid: number): ProcessTimes[] {
  const all = new Map(processes().map((each) => [each.pid, each]))
  const sum = (of: number): number =>
    [...all.values()].reduce(
      (total, each) => (each.parent === of ? total + sum(each.pid) : total),
      all.get(of)?.cpuMs ?? 0,
    )
  return [...all.values()]
    .filter((each) => each.parent === pid)
    .map((each) => ({ pid: each.pid, command: commandOf(each.pid), cpuMs: sum(each.pid) }))
}

function processes(): { pid: number; parent: number; cpuMs: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    const text = Number.isInteger(pid) ? read(`/proc/${pid}/stat`) : undefined
    // The name may hold spaces and brackets: the last bracket ends it.
    const fields = text?.slice(text.lastIndexOf(') ') + 2).split(' ')
    if (!fields) return []
    const ticks = TICKS.reduce((sum, at) => sum + Number(fields[at]), 0)
    return [{ pid, parent: Number(fields[PARENT]), cpuMs: ticks * MS_PER_TICK }]
  })
}

const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''

/** Undefined: it ended between the two looks. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
