/**
 * Looks at the disk about once a second, so that a request never waits for it. What was acknowledged needs room still:
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
