/** What was found damaged and set aside, as a line of the doctor: how much of what, where it lies, and the next step. */
import { damagedFolder, type DamagedStretch } from '@sonde/log'
import type { DamagedPart } from '@sonde/stores'
import type { PartReport } from './report.ts'

type Damage = {
  readonly logDir: string
  readonly stretches: readonly DamagedStretch[]
  readonly parts: readonly DamagedPart[]
}

const SHOWN = 3

/** Undefined: nothing is damaged. */
export function damagePart({ logDir, stretches, parts }: Damage): PartReport | undefined {
  const found = [...logDamage(logDir, stretches), ...partsDamage(parts)]
  if (found.length === 0) return undefined
  const detail = `${found.join('; ')}. Everything else works. Check this disk (dmesg, smartctl), restore what is missing from a backup if you need it, and delete the named folders: then this line goes away.`
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

const counted = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
