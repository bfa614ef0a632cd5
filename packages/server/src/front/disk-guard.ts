/**
 * Looks at the disk about once a second, so that a request never waits for it. What was acknowledged needs room still:
 * the pipeline turns it into rows, and stores merge. docs/decisions/0024-attachments-and-the-disk.md
 */
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Logger } from '@sonde/base'
import type { DiskSpace } from '@sonde/ingest'
import { diskSpace, type FreeShares } from '../disk-space.ts'

export type DiskGuard = {
  /** As of the last look. */
  space(): DiskSpace
  stop(): void
}

// A disk that takes 200 MB a second loses a fifth of the room that is kept free between two looks.
const LOOK_EVERY_MS = 1_000

/** Throws when the folder cannot be looked at; later looks that fail leave what was known. */
export function startDiskGuard(dir: string, shares: FreeShares, logger: Logger): DiskGuard {
  const judge = ({ bavail, blocks, bsize }: { bavail: number; blocks: number; bsize: number }): DiskSpace =>
    diskSpace(shares, { freeBytes: bavail * bsize, sizeBytes: blocks * bsize })
  let known = judge(statfsSync(dir))
  const say = (): void => {
    if (known === 'enough') logger.info({ dir }, 'enough of the disk is free')
    else
      logger.warn(
        { dir },
        known === 'little'
          ? 'little of the disk is free: attachments are refused'
          : 'too little of the disk is free: everything is refused with a 503',
      )
  }
  if (known !== 'enough') say()
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const before = known
      known = judge(await statfs(dir))
      if (known !== before) say()
    } catch (error) {
      logger.warn({ err: error, dir }, 'the disk cannot be looked at')
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return { space: () => known, stop: () => clearInterval(timer) }
}
