/** One stored row, and what scrubbing rules make of its cells. Pure. */
import type { Json, JsonObject } from '@sonde/protocol/event'
import type { CellValue } from '@sonde/stores'
import { createRemarks, type Remarks, rootScope, type Scope, within } from '../../normalize/meta-remarks.ts'
import { scrubJson, scrubString } from '../scrub-json.ts'
import { withoutAddresses } from '../scrub-span.ts'
import { FILTERED, keyRulesOf, type KeyRules, type ScrubSettings } from '../settings.ts'
import { kindOf, type ScrubbedTable } from './row-kinds.ts'

/** Columns by name, as a query returns them. */
export type StoredCells = Readonly<Record<string, unknown>>
type ScrubbedRow = {
  /** Those that are another now; none: the row stays. */
  readonly cells: Readonly<Record<string, CellValue>>
  /** Values that are another or gone, for a preview. */
  readonly changes: readonly ChangedValue[]
}
export type ChangedValue = {
  readonly path: string
  readonly rule: string
  readonly before: string
  /** Empty: it is gone. */
  readonly after: string
}

type Attributes = Readonly<Record<string, string | number>>

export function scrubRow(table: ScrubbedTable, row: StoredCells, settings: ScrubSettings): ScrubbedRow {
  const { texts, lists = [], json = [], attributes } = kindOf(table)
  const remarks = createRemarks()
  const scope = rootScope(remarks)
  const keys = settings.enabled ? keyRulesOf(settings) : undefined
  const cells: Record<string, CellValue> = {}
  const changes: ChangedValue[] = []
  const note = (path: string, before: string, after: string, rule = ruleAt(remarks, path)): void => {
    if (before !== after) changes.push({ path, rule, before, after })
  }
  for (const name of texts) {
    const before = textOf(row[name])
    const after =
      name === 'user_key'
        ? scrubUserKey(within(scope, name), before, settings, keys)
        : scrubText(within(scope, name), before, keys)
    if (after === before) continue
    cells[name] = after
    note(name, before, after, name === 'user_key' ? (after === '' ? '@ip' : '@password') : undefined)
  }
  for (const name of lists) {
    const before = listOf(row[name])
    const after = before.map((text) => scrubText(within(scope, name), text, keys))
    if (after.every((text, at) => text === before[at])) continue
    cells[name] = after
    after.forEach((text, at) => note(name, before[at] ?? '', text))
  }
  for (const name of json) {
    const before = listOf(row[name])
    const after = before.map((text) => scrubLink(within(scope, name), text, settings, keys))
    if (after.every((text, at) => text === before[at])) continue
    cells[name] = after
    after.forEach((text, at) => note(name, before[at] ?? '', text, '@password'))
  }
  if (attributes) {
    const before = attributesOf(row)
    const without = settings.scrubIp ? withoutAddresses(before) : before
    const after = keys ? (scrubJson(within(scope, 'attributes'), without, keys) as Attributes) : without
    Object.assign(cells, changedMaps(before, after))
    for (const [name, value] of Object.entries(before))
      if (after[name] !== value)
        note(
          `attributes.${name}`,
          String(value),
          name in after ? String(after[name]) : '',
          name in without ? undefined : '@ip',
        )
  }
  return { cells, changes }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf) : [])
const scrubText = (scope: Scope, text: string, keys: KeyRules | undefined): string =>
  keys && text !== '' ? scrubString(scope, text, keys) : text

/** Numbers that no JSON has (`NaN`) come as null and stay where they are. */
function attributesOf(row: StoredCells): Attributes {
  const all = Object.entries({ ...(row['strings'] as object), ...(row['numbers'] as object) })
  return Object.fromEntries(all.filter((pair): pair is [string, string | number] => pair[1] !== null))
}

/** A number that is filtered is a text. */
function changedMaps(before: Attributes, after: Attributes): Readonly<Record<string, CellValue>> {
  const map = (of: Attributes, type: 'string' | 'number'): Attributes =>
    Object.fromEntries(Object.entries(of).filter(([, value]) => typeof value === type))
  const isSame = (type: 'string' | 'number'): boolean => {
    const [was, is] = [map(before, type), map(after, type)]
    const names = Object.keys(was)
    return names.length === Object.keys(is).length && names.every((name) => was[name] === is[name])
  }
  return {
    ...(!isSame('string') && { strings: map(after, 'string') }),
    ...(!isSame('number') && { numbers: map(after, 'number') }),
  }
}

/** `id:42`, `email:…`: the attribute that it was read from may be gone, so its name is asked for. */
function scrubUserKey(
  scope: Scope,
  key: string,
  settings: ScrubSettings,
  keys: KeyRules | undefined,
): string {
  const [kind = '', ...rest] = key.split(':')
  if (settings.scrubIp && kind === 'ip') return ''
  const isSecret = keys !== undefined && rest.length > 0 && keys(`user.${kind}`) !== 'no'
  return isSecret ? `${kind}:${FILTERED}` : scrubText(scope, key, keys)
}

/** What a link of a span says of itself. */
function scrubLink(scope: Scope, text: string, settings: ScrubSettings, keys: KeyRules | undefined): string {
  let link: Json
  try {
    link = JSON.parse(text) as Json
  } catch {
    return text
  }
  if (typeof link !== 'object' || link === null || Array.isArray(link)) return text
  const without = settings.scrubIp ? withoutAddresses(link as Attributes) : (link as JsonObject)
  const after = keys ? scrubJson(scope, without, keys) : without
  return after === link ? text : JSON.stringify(after)
}

/** By the remark at the path or at what holds it. */
function ruleAt({ meta = {} }: Remarks, path: string): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const entry = Object.hasOwn(meta, at) ? meta[at] : undefined
    const rule = entry?.remarks.find(({ kind }) => kind === 'scrubbed')?.rule
    if (rule !== undefined) return rule
  }
  return '@ip'
}
