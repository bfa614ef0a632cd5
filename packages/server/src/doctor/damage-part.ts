/** What was found damaged and set aside, as a line of the doctor: how much of what, where it lies, and the next step. */
import { damagedFolder, type DamagedStretch } from '@sonde/log'
import type { DamagedPart, UnreadableBlob } from '@sonde/stores'
import type { PartReport } from './report.ts'

type Damage = {
  readonly logDir: string
  readonly stretches: readonly DamagedStretch[]
  readonly parts: readonly DamagedPart[]
  /** Met by whoever wanted to read them. */
  readonly blobs?: readonly UnreadableBlob[]
}

const SHOWN = 3

/** Undefined: nothing is damaged. */
export function damagePart({ logDir, stretches, parts, blobs = [] }: Damage): PartReport | undefined {
  const folders = [...logDamage(logDir, stretches), ...partsDamage(parts)]
  const found = [...folders, ...blobsDamage(blobs)]
  if (found.length === 0) return undefined
  const ending =
    folders.length === 0
      ? 'a day after the last of them was asked for, this line goes away.'
      : 'and delete the named folders: then this line goes away.'
  const detail = `${found.join('; ')}. Everything else works. Check this disk (dmesg, smartctl), restore what is missing from a backup if you need it${folders.length === 0 ? ';' : ','} ${ending}`
  return { name: 'damage', state: 'degraded', detail }
}

function logDamage(dir: string, stretches: readonly DamagedStretch[]): string[] {
  if (stretches.length === 0) return []
  const bytes = stretches.reduce((sum, stretch) => sum + stretch.bytes, 0)
  const firstMs = Math.min(...stretches.map(({ foundMs }) => foundMs))
  return [
    `${counted(bytes, 'byte')} of the log in ${counted(stretches.length, 'place')} could not be read and the events in them are lost (first found ${day(firstMs)}; kept in ${damagedFolder(dir)})`,
  ]
}

function partsDamage(parts: readonly DamagedPart[]): string[] {
  const shown = parts.slice(0, SHOWN).map(({ table, part, rows, path }) => {
    const count = rows === undefined ? 'an unknown number of rows' : counted(rows, 'row')
    return `part ${part} of the table ${table} is damaged and was set aside: ${count} missing from the screens (${path})`
  })
  const more = parts.length - shown.length
  return more === 0 ? shown : [...shown, `${counted(more, 'more part')}, in folders beside these`]
}

function blobsDamage(blobs: readonly UnreadableBlob[]): string[] {
  if (blobs.length === 0) return []
  const shown = blobs.slice(0, SHOWN).map(({ name, problem }) => `${name} (${problem})`)
  const more = blobs.length - shown.length
  const rest = more === 0 ? '' : ` and ${more.toLocaleString('en')} more`
  return [
    `${counted(blobs.length, 'stored file')} could not be read in the last day: ${shown.join(', ')}${rest}; the screens and the API say so where it is asked for`,
  ]
}

const counted = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
