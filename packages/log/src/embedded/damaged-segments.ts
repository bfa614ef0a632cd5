/**
 * What could not be read of the log, remembered beside it: a list of the stretches, and the files they lie in, for whoever
 * wants to look at the disk. A second name for the file (a hard link) keeps it after it was consumed, and costs no copy.
 */
import { appendFile, link, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Corruption } from './collect.ts'
import { isMissing } from './segments.ts'

export type DamagedStretch = {
  readonly position: number
  readonly bytes: number
  /** Name of the segment's file. */
  readonly segment: string
  readonly foundMs: number
}

const FOLDER = 'damaged'
const LIST = 'stretches.jsonl'
// 1 GB of segments of the usual size: a disk that breaks all of them must not fill up with what it broke.
const MAX_SEGMENTS = 16
const MAX_STRETCHES = 10_000

export const damagedFolder = (dir: string): string => join(dir, FOLDER)

/** Nothing when none was ever found, or an operator removed the folder. */
export async function damagedStretches(dir: string): Promise<DamagedStretch[]> {
  const text = await readFile(join(damagedFolder(dir), LIST), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return ''
    throw error
  })
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as DamagedStretch]
    } catch {
      // A line that was cut as the process died.
      return []
    }
  })
}

/** Idempotent: what is read again after a restart is the same stretch. */
export async function keepDamaged(
  dir: string,
  { position, bytes, segment }: Corruption,
  foundMs: number,
): Promise<void> {
  const known = await damagedStretches(dir)
  if (known.some((stretch) => stretch.position === position) || known.length >= MAX_STRETCHES) return
  const name = basename(segment)
  await mkdir(damagedFolder(dir), { recursive: true })
  const kept = new Set(known.map((stretch) => stretch.segment))
  if (!kept.has(name) && kept.size < MAX_SEGMENTS)
    await link(segment, join(damagedFolder(dir), name)).catch((error: unknown) => {
      // Deleted by somebody: that is the damage.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'EEXIST') throw error
    })
  const stretch: DamagedStretch = { position, bytes, segment: name, foundMs }
  await appendFile(join(damagedFolder(dir), LIST), `${JSON.stringify(stretch)}\n`)
}
