/**
 * A folder in memory for what tests keep while they run. On a disk a third of the processor time of some suites went
 * into making files durable and taking them away again, and most of their waiting.
 */
import { existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MOUNT = '/dev/shm'
/** The most that two processes of tests were seen to keep is a quarter of it. */
const NEEDED_BYTES = 2 * 1024 ** 3

/** Undefined where there is none that is large enough, or none that programs may be started from. */
export function makeMemoryFolder({
  mount = MOUNT,
  mounts = '/proc/mounts',
  meminfo = '/proc/meminfo',
  neededBytes = NEEDED_BYTES,
} = {}) {
  if (!existsSync(mounts) || !existsSync(meminfo)) return undefined
  const line = readFileSync(mounts, 'utf8')
    .split('\n')
    .map((each) => each.split(' '))
    .find(([, at, type]) => at === mount && type === 'tmpfs')
  if (!line || line[3].split(',').some((option) => option === 'noexec' || option === 'ro')) return undefined
  const { bavail, bsize } = statfsSync(mount)
  const availableKb = Number(/^MemAvailable: +(\d+) kB$/m.exec(readFileSync(meminfo, 'utf8'))?.[1] ?? 0)
  // What lies there is memory that the tests themselves cannot have.
  if (bavail * bsize < neededBytes || availableKb * 1024 < 3 * neededBytes) return undefined
  return mkdtempSync(join(mount, 'sonde-test-'))
}
