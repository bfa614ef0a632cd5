/** What the two processes use, from `/proc`; where there is none (macOS), what this one knows of itself. */
import { readFile } from 'node:fs/promises'
import type { Clock } from '@sonde/base'
import type { OperatorProcess } from '@sonde/web/server'

export type WatchedProcess = { readonly name: OperatorProcess['name']; readonly pid: number }

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const TICKS_PER_SEC = 100

/** CPU is that since the look before, and at the first look since the process began. */
export function createProcessFigures(
  watched: () => readonly WatchedProcess[],
  clock: Clock,
): () => Promise<readonly OperatorProcess[]> {
  const before = new Map<number, { atMs: number; cpuMs: number }>()
  return async () => {
    const found = await Promise.all(watched().map((each) => look(each)))
    return found.flatMap((each) => {
      if (!each) return []
      const { cpuMs, ...figures } = each
      const atMs = clock.nowMs()
      const last = before.get(each.pid) ?? { atMs: atMs - each.uptimeMs, cpuMs: 0 }
      // Two looks at once would divide by next to nothing.
      if (atMs - last.atMs >= 1_000 || !before.has(each.pid)) before.set(each.pid, { atMs, cpuMs })
      return [{ ...figures, cpuShare: Math.max(0, cpuMs - last.cpuMs) / Math.max(1, atMs - last.atMs) }]
    })
  }
}

type Look = Omit<OperatorProcess, 'cpuShare'> & { readonly cpuMs: number }

async function look({ name, pid }: WatchedProcess): Promise<Look | undefined> {
  try {
    const [stat, memory, uptime] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
      readFile('/proc/uptime', 'utf8'),
    ])
    // The second field is a name in parentheses, which may hold anything. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [userTicks = 0, systemTicks = 0, startTicks = 0] = [fields[11], fields[12], fields[19]]
    return {
      name,
      pid,
      uptimeMs: Math.max(0, Number(uptime.split(' ')[0]) - startTicks / TICKS_PER_SEC) * 1000,
      rssBytes: kibOf(memory, 'Rss'),
      privateBytes: kibOf(memory, 'Private_Clean') + kibOf(memory, 'Private_Dirty'),
      cpuMs: ((userTicks + systemTicks) / TICKS_PER_SEC) * 1000,
    }
  } catch {
    return pid === process.pid ? ownFigures(name) : undefined
  }
}

const kibOf = (rollup: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024

function ownFigures(name: OperatorProcess['name']): Look {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return {
    name,
    pid: process.pid,
    uptimeMs: process.uptime() * 1000,
    rssBytes: process.memoryUsage.rss(),
    privateBytes: undefined,
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
  }
}
