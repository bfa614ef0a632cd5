/** A limit of memory that the kernel holds processes to: a cgroup of its own, of either version. Needs root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type MemoryGroup = {
  /** Of it and of all children that it has from now on, what they allocate from now on counts. */
  add(pid: number): void
  /** Processes of it that the kernel has killed so far. */
  kills(): number
  /** Without a limit from now on; the processes go on. Rejects when some cannot be moved out of it. */
  end(): Promise<void>
}

type Files = {
  readonly dir: string
  readonly limit: string
  readonly events: string
  readonly noLimit: string
}

// https://docs.kernel.org/admin-guide/cgroup-v1/memory.html and cgroup-v2.html
const VERSIONS: readonly Files[] = [
  {
    dir: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    events: 'memory.oom_control',
    noLimit: '-1',
  },
  { dir: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events', noLimit: 'max' },
]

const MOST_TRIES = 100
const BETWEEN_TRIES_MS = 100

function moveAll(from: string, to: string): void {
  const pids = readFileSync(join(from, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
  for (const pid of pids) writeFileSync(join(to, 'cgroup.procs'), pid)
}

/** Throws where this process may not make such a group. */
export function makeMemoryGroup(limitBytes: number): MemoryGroup {
  const name = `sonde-load-${process.pid}`
  for (const { dir, limit, events, noLimit } of VERSIONS) {
    const group = join(dir, name)
    try {
      mkdirSync(group)
    } catch {
      continue
    }
    if (!existsSync(join(group, limit))) {
      rmdirSync(group)
      continue
    }
    const write = (file: string, text: string): void => writeFileSync(join(group, file), text)
    write(limit, String(limitBytes))
    return {
      add: (pid) => write('cgroup.procs', String(pid)),
      kills: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(group, events), 'utf8'))?.[1] ?? 0),
      async end() {
        write(limit, noLimit)
        for (let tries = 1; ; tries++)
          try {
            moveAll(group, dirname(group))
            return rmdirSync(group)
          } catch (error) {
            // A process that began or ended just now (ESRCH, EBUSY).
            if (tries === MOST_TRIES) throw error
            await sleep(BETWEEN_TRIES_MS)
          }
      },
    }
  }
  throw new Error('a limit of memory needs root and a cgroup hierarchy that can be written to')
}
