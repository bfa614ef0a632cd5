/** What processes and everything that they started take, from Linux' `/proc`. */
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
  const all = processes()
  return all
    .filter((each) => each.parent === pid)
    .map((each) => ({
      pid: each.pid,
      command: commandOf(each.pid),
      cpuMs: sumOf([each.pid, ...descendants(all, each.pid)], all),
    }))
}

export const descendantsOf = (pid: number): readonly number[] => descendants(processes(), pid)

export type ProcessUsage = {
  /** What the process is there for, such as `back`. */
  readonly role: string
  /** Since it began, with that of children that ended. */
  readonly cpuMs: number
  readonly rssBytes: number
  /** As RSS, but a page that several processes share counts once among them. */
  readonly pssBytes: number
}

/** One process, or one with all that it started. All is 0 for one that ended. */
export function usageOf(role: string, pid: number, { withDescendants = false } = {}): ProcessUsage {
  const all = processes()
  const pids = withDescendants ? [pid, ...descendants(all, pid)] : [pid]
  const memory = (name: string): number =>
    pids.reduce((sum, each) => {
      const text = read(`/proc/${each}/smaps_rollup`) ?? ''
      return sum + Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024
    }, 0)
  return { role, cpuMs: sumOf(pids, all), rssBytes: memory('Rss'), pssBytes: memory('Pss') }
}

type Process = { readonly pid: number; readonly parent: number; readonly cpuMs: number }

function descendants(all: readonly Process[], pid: number): number[] {
  return all
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child.pid, ...descendants(all, child.pid)])
}

const sumOf = (pids: readonly number[], all: readonly Process[]): number =>
  all.reduce((sum, { pid, cpuMs }) => (pids.includes(pid) ? sum + cpuMs : sum), 0)

function processes(): readonly Process[] {
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
