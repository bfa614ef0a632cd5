/** Where a scrubbed event is another than before, by which rule. */
import type { Json, NormalizedEvent, Pair } from '@sonde/protocol/event'
import type { ChangedValue } from './stored/scrub-row.ts'

type Event = Omit<NormalizedEvent, 'derived'>

export function changedLeaves(
  { _meta: _before, ...before }: Event,
  { _meta, ...after }: Event,
): readonly ChangedValue[] {
  const changes: ChangedValue[] = []
  compareLeaves(before, after, '', (path, was, is) =>
    changes.push({
      path,
      rule: ruleAt({ ...(_meta && { _meta }) }, path),
      before: textOf(was),
      after: textOf(is),
    }),
  )
  return changes
}

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** Calls `onRemoved` for each leaf of `before` that is another or gone in `after`. */
export function compareLeaves(
  before: Json,
  after: Json | undefined,
  path: string,
  onRemoved: (path: string, before: Json, after: Json | undefined) => void,
): void {
  if (before === after) return
  if (!isContainer(before) || (after !== undefined && !isContainer(after)))
    return onRemoved(path, before, after)
  const fields = after === undefined ? undefined : (after as Readonly<Record<string, Json>>)
  // A list that lost an entry has moved: reported as a whole: an index would name the wrong one.
  if (Array.isArray(before) && fields && before.length !== (after as readonly Json[]).length) {
    return onRemoved(path, before, after)
  }
  for (const [key, value] of Object.entries(before as Readonly<Record<string, Json>>)) {
    const now = fields && Object.hasOwn(fields, key) ? fields[key] : undefined
    // Headers, tags and the like are pairs: called by their name, as in `_meta`.
    if (Array.isArray(before) && isPair(value) && isPair(now)) {
      compareLeaves(value[1], now[1], joined(path, value[0]), onRemoved)
    } else if (now === undefined) onRemoved(joined(path, key), value, undefined)
    else compareLeaves(value, now, joined(path, key), onRemoved)
  }
}

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

const isPair = (value: Json | undefined): value is Pair =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

const isContainer = (value: Json): boolean => typeof value === 'object' && value !== null

/** By the remark at the path or at what holds it; only addresses go without one. */
export function ruleAt({ _meta = {} }: Pick<NormalizedEvent, '_meta'>, path: string): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const entry = Object.hasOwn(_meta, at) ? _meta[at] : undefined
    const rule = entry?.remarks.find((remark) => remark.kind === 'scrubbed')?.rule
    if (rule !== undefined) return rule
  }
  return '@ip'
}
