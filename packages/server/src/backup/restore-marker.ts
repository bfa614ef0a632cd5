/** `restore.json` in a data folder: a restore is not finished, and nothing may open what lies there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@sonde/base'
import { writeWhole } from '../internal/write-whole.ts'

export const markerFile = (dataDir: string): string => join(dataDir, 'restore.json')

export function writeMarker(dataDir: string, marker: { readonly id: string; readonly from: string }): void {
  writeWhole(markerFile(dataDir), `${JSON.stringify(marker)}\n`)
}

/** For every start: throws `ConfigError` in a folder that a restore left incomplete. */
export function refuseUnfinishedRestore(dataDir: string): void {
  const file = markerFile(dataDir)
  if (!existsSync(file)) return
  throw new ConfigError(
    'SONDE_DATA_DIR',
    `a restore into ${dataDir} was interrupted or failed (${nameIn(file)}), and what is there is not complete`,
    'Delete what is in this folder, and restore again.',
  )
}

function nameIn(file: string): string {
  try {
    return String((JSON.parse(readFileSync(file, 'utf8')) as { id?: unknown }).id)
  } catch {
    return 'its name cannot be read'
  }
}
