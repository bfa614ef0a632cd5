/** A disk of a few megabytes that is really full: a tmpfs. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  readonly dir: string
  freeBytes(): number
  /** Leaves no byte free, or so many. */
  fill(leaveBytes?: number): void
  /** Takes away what `fill` put there. */
  free(): void
  remove(): void
}

/** The reason instead of a disk where this user may not mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | string {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', dir], { stdio: 'pipe' })
  } catch (error) {
    rmSync(dir, { recursive: true })
    return `needs the right to mount a tmpfs (Linux, root): ${(error as Error).message.split('\n')[0]}`
  }
  const ballast = join(dir, 'ballast')
  return {
    dir,
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(dir)
      return bavail * bsize
    },
    fill(leaveBytes = 0) {
      const file = openSync(ballast, 'a')
      const room = Buffer.alloc(1024 * 1024, 1)
      const freeBytes = (): number => {
        const { bavail, bsize } = statfsSync(dir)
        return bavail * bsize
      }
      if (leaveBytes > 0) {
        while (freeBytes() > leaveBytes + room.length) writeSync(file, room)
        closeSync(file)
        return
      }
      // Large steps first, then page by page.
      for (const step of [1024 * 1024, 4096, 1]) {
        const block = Buffer.alloc(step, 1)
        try {
          for (;;) if (writeSync(file, block) < step) break
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast),
    remove() {
      // Lazily: a failed assertion leaves files open, and must not leave a mount behind as well.
      execFileSync('umount', ['-l', dir])
      rmSync(dir, { recursive: true })
    },
  }
}
