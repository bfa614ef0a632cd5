/**
 * Looks at the disk about once a second where little is free, more rarely where much is, so that a request never waits
 * for it. What was acknowledged needs room still:
 * the pipeline turns it into rows, and stores merge. docs/decisions/0024-attachments-and-the-disk.md
 */
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Logger } from '@sonde/base'
import type { DiskSpace } from '@sonde/ingest'

// How much of the disk has to stay free: the front refuses by it, the doctor tells of it.

/** Shares of the disk, 0 to 1; 0: never. */
export type FreeShares = {
  /** Below, no attachments are taken. */
  readonly attachments: number
  /** Below, nothing is. */
  readonly everything: number
}

const GB = 1_000_000_000
// A tenth of a large disk is room for years: beyond these a share says nothing.
const ENOUGH_FOR_ATTACHMENTS_BYTES = 10 * GB
const ENOUGH_BYTES = GB

export type Space = { readonly freeBytes: number; readonly sizeBytes: number }

export function wantedBytes(
  { attachments, everything }: FreeShares,
  sizeBytes: number,
): { readonly attachments: number; readonly everything: number } {
  return {
    attachments: Math.min(attachments * sizeBytes, ENOUGH_FOR_ATTACHMENTS_BYTES),
    everything: Math.min(everything * sizeBytes, ENOUGH_BYTES),
  }
}

export function diskSpace(shares: FreeShares, { freeBytes, sizeBytes }: Space): DiskSpace {
  const wanted = wantedBytes(shares, sizeBytes)
  if (freeBytes < wanted.everything) return 'too-little'
  return freeBytes < wanted.attachments ? 'little' : 'enough'
}

export type DiskGuard = {
  /** As of the last look. */
  space(): DiskSpace
  stop(): void
}

// A disk that takes 200 MB a second loses a fifth of the room that is kept free between two looks.
const LOOK_EVERY_MS = 1_000
const LONGEST_PAUSE_MS = 10_000
/** Faster than disks are filled. */
const FILLED_PER_MS = 2_000_000

/** Until the next look: before it, nothing could have been written that takes the disk below a share. */
export function pauseMs(shares: FreeShares, { freeBytes, sizeBytes }: Space): number {
  const wanted = wantedBytes(shares, sizeBytes)
  const spareBytes = freeBytes - Math.max(wanted.attachments, wanted.everything)
  return Math.min(LONGEST_PAUSE_MS, Math.max(LOOK_EVERY_MS, spareBytes / FILLED_PER_MS))
}

/** Throws when the folder cannot be looked at; later looks that fail leave what was known. */
export function startDiskGuard(dir: string, shares: FreeShares, logger: Logger): DiskGuard {
  const spaceOf = ({ bavail, blocks, bsize }: { bavail: number; blocks: number; bsize: number }): Space => ({
    freeBytes: bavail * bsize,
    sizeBytes: blocks * bsize,
  })
  let space = spaceOf(statfsSync(dir))
  let known = diskSpace(shares, space)
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
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const schedule = (): void => {
    if (!isStopped) timer = setTimeout(() => void look(), pauseMs(shares, space)).unref()
  }
  const look = async (): Promise<void> => {
    try {
      const before = known
      space = spaceOf(await statfs(dir))
      known = diskSpace(shares, space)
      if (known !== before) say()
    } catch (error) {
      logger.warn({ err: error, dir }, 'the disk cannot be looked at')
    } finally {
      schedule()
    }
  }
  schedule()
  return {
    space: () => known,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
