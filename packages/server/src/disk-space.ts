/** How much of the disk has to stay free: the front refuses by it, the doctor tells of it. */
import type { DiskSpace } from '@sonde/ingest'

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
