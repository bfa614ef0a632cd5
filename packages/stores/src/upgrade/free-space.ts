/** An upgrade that would fill the disk is refused before it changes anything, with the numbers. */
import { statfsSync } from 'node:fs'
import { SondeError } from '@sonde/base'

const MB = 1_000_000
/** What the log takes and what both stores write besides, while an upgrade runs. */
export const RESERVE_BYTES = 64 * MB

export type SpaceNeed = { readonly neededBytes: number; readonly freeBytes: number }

export function freeBytesOf(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

/** Throws `SondeError`, kind `unavailable`. */
export function requireSpace(
  store: 'records' | 'telemetry',
  { neededBytes, freeBytes }: SpaceNeed,
  dir: string,
): void {
  if (freeBytes >= neededBytes) return
  throw new SondeError(
    'unavailable',
    `upgrade the ${store}: needs ${sizeText(neededBytes)} of free disk, and ${dir} has ${sizeText(freeBytes)}`,
    {
      operation: `upgrade the ${store}`,
      subject: dir,
      hint: `nothing of the ${store} was changed; free ${sizeText(neededBytes - freeBytes)} more, or start the version before`,
    },
  )
}

export const sizeText = (bytes: number): string =>
  bytes < 1_000 * MB ? `${Math.ceil(bytes / MB)} MB` : `${(Math.ceil(bytes / MB / 100) / 10).toFixed(1)} GB`
