/** Troubles that are seen from outside of Sonde's processes, whether they run or not. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PartReport } from './report.ts'

export type Outer = {
  readonly host: string
  readonly port: number
  readonly isStopped: boolean
  /** Of the processes that run; none: those of a start from here would have this one's limits. */
  readonly pids: readonly number[]
}

/** Only what is found: each of them is not well. */
export async function outerTroubles({ host, port, isStopped, pids }: Outer): Promise<readonly PartReport[]> {
  const taken = isStopped ? await takenPort(host, port) : undefined
  return [taken, limitsPart(pids.length === 0 ? ['self'] : pids.map(String))].flatMap((part) => part ?? [])
}

/** Reads the whole file, in this process alone; others may write meanwhile. */
export function damagedRecords(file: string): PartReport | undefined {
  if (!existsSync(file)) return undefined
  const name = 'records'
  const found = (what: string): PartReport => ({
    name,
    state: 'down',
    detail: `${file} is damaged: ${what}. Stop Sonde and put a backup in its place (docs/operate/backup.md says how); check the disk`,
  })
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    try {
      const said = String(Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
      return said === 'ok' ? undefined : found(said.replaceAll('\n', ' '))
    } finally {
      database.close()
    }
  } catch (error) {
    const { message } = error as Error
    if (/malformed|not a database|corrupt/.test(message)) return found(message)
    return { name, state: 'down', detail: `${file} cannot be read: ${message}` }
  }
}

/** Port 0 is one that is free. */
async function takenPort(host: string, port: number): Promise<PartReport | undefined> {
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
  if (code === undefined) return undefined
  const why = code === 'EADDRINUSE' ? 'another program has it' : code
  const detail = `Sonde cannot listen on ${host}:${port} (${why}): stop that program, or set PORT`
  return { name: 'port', state: 'degraded', detail }
}

const NEEDED_BYTES = 1_000_000_000
const NEEDED_FILES = 4_096

/** Undefined where there is enough, and where the system does not tell. */
export function limitsPart(pids: readonly string[], root = '/'): PartReport | undefined {
  const files = least(pids.map((pid) => openFilesOf(pid, root)))
  const bytes = least([totalmem(), ...pids.map((pid) => memoryOf(pid, root))])
  const found = [
    ...(bytes < NEEDED_BYTES
      ? [
          `${Math.round(bytes / 1e6)} MB of memory, of at least ${NEEDED_BYTES / 1e6}: give the container or unit more (MemoryMax, --memory)`,
        ]
      : []),
    ...(files < NEEDED_FILES
      ? [
          `${files} open files, of at least ${NEEDED_FILES.toLocaleString('en')}: raise the limit (LimitNOFILE, --ulimit nofile, ulimit -n)`,
        ]
      : []),
  ]
  return found.length === 0
    ? undefined
    : { name: 'limits', state: 'degraded', detail: `Sonde may use ${found.join('; ')}` }
}

const least = (numbers: readonly (number | undefined)[]): number =>
  Math.min(...numbers.map((number) => number ?? Infinity))

const openFilesOf = (pid: string, root: string): number | undefined =>
  numberIn(/^Max open files +(\d+)/m.exec(textOf(join(root, 'proc', pid, 'limits')))?.[1])

/** Of the process's own cgroup, of either version, and of those above it. */
function memoryOf(pid: string, root: string): number {
  const groups = textOf(join(root, 'proc', pid, 'cgroup'))
    .split('\n')
    .map((line) => line.split(':'))
  const mounted = join(root, 'sys/fs/cgroup')
  const pathOf = (controller: string): string | undefined =>
    groups
      .find(([, controllers]) => controllers?.split(',').includes(controller))
      ?.slice(2)
      .join(':')
  return least([
    // Version 2 has one hierarchy, which names no controllers.
    ...limitsAlong(pathOf(''), mounted, 'memory.max'),
    ...limitsAlong(pathOf('memory'), join(mounted, 'memory'), 'memory.limit_in_bytes'),
  ])
}

function limitsAlong(
  group: string | undefined,
  mounted: string,
  file: string,
): readonly (number | undefined)[] {
  if (group === undefined) return []
  const steps = group.split('/').filter((step) => step !== '')
  const folders = steps.map((_, at) => join(mounted, ...steps.slice(0, at + 1)))
  return [mounted, ...folders].map((folder) => numberIn(textOf(join(folder, file)).trim()))
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
