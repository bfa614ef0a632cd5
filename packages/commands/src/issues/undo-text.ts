/**
 * How a change is taken back, as a text that a form or a client carries: `resolved<unresolved/new:3-2.4;…`, or with the release that an
 * issue was resolved in: `unresolved<resolved//next_release/shop%401.0:7`.
 */
import { ISSUE_STATUSES, type IssueStatus } from '@sonde/stores'

export type UndoGroup = {
  readonly status: IssueStatus
  readonly substatus: string
  readonly resolvedIn: ResolvedIn
  readonly resolvedRelease: string
  readonly ids: readonly number[]
}
export type ResolvedIn = '' | 'release' | 'next_release'
/** `from`: the state that the change had led to. */
export type Undo = { readonly from: IssueStatus; readonly groups: readonly UndoGroup[] }

/** Of one undo, so that a form stays below what the server takes (1 MiB); 100,000 scattered ids are about half. */
export const MAX_UNDO_CHARS = 500_000
const MAX_IDS = 200_000

type State = {
  readonly id: number
  readonly status: string
  readonly substatus: string
  readonly resolvedIn: ResolvedIn
  readonly resolvedRelease: string
}

/** Undefined when nothing changed, and when it were too long to carry. */
export function writeUndo(from: IssueStatus, before: readonly State[]): string | undefined {
  const groups = Map.groupBy(
    before.filter((state) => state.status !== from),
    ({ status, substatus, resolvedIn, resolvedRelease }) =>
      resolvedIn === ''
        ? `${status}/${substatus}`
        : `${status}/${substatus}/${resolvedIn}/${encodeURIComponent(resolvedRelease)}`,
  )
  if (groups.size === 0) return undefined
  const parts = [...groups].map(([state, rows]) => `${state}:${writeIds(rows.map(({ id }) => id))}`)
  const text = `${from}<${parts.join(';')}`
  return text.length > MAX_UNDO_CHARS ? undefined : text
}

/** Undefined for text that `writeUndo` did not write. */
export function readUndo(text: string): Undo | undefined {
  const [from, rest] = text.split('<')
  if (text.length > MAX_UNDO_CHARS || !isStatus(from) || rest === undefined) return undefined
  const groups: UndoGroup[] = []
  for (const part of rest.split(';')) {
    const match = GROUP.exec(part)
    const [, status, substatus = '', resolvedIn = '', release = '', list = ''] = match ?? []
    const ids = readIds(list, MAX_IDS)
    const resolvedRelease = decoded(release)
    if (!match || !ids || ids.length === 0 || !isStatus(status) || resolvedRelease === undefined)
      return undefined
    groups.push({ status, substatus, resolvedIn: resolvedIn as ResolvedIn, resolvedRelease, ids })
  }
  return { from, groups }
}

const GROUP = /^([a-z]+)\/([a-z_]{0,32})(?:\/(release|next_release)\/([\w.!~*'()%-]{1,1800}))?:([0-9a-z.-]+)$/

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Of several changes that were made at once. Undefined: nothing to undo, or too much. */
export function joinUndo(texts: readonly (string | undefined)[]): string | undefined {
  const text = texts.filter((part) => part !== undefined).join('|')
  return text === '' || text.length > MAX_UNDO_CHARS ? undefined : text
}

/** The last change first. Undefined for text that no change answered. */
export function readUndos(text: string): readonly (Undo | FieldUndo)[] | undefined {
  const parts = text.length > MAX_UNDO_CHARS ? [] : text.split('|').toReversed()
  const undos = parts.slice(0, MAX_PARTS + 1).map((part) => readFieldUndo(part) ?? readUndo(part))
  return undos.length > 0 && undos.length <= MAX_PARTS && undos.every((undo) => undo !== undefined)
    ? undos
    : undefined
}
const MAX_PARTS = 4

/** How a change of one field is taken back: `assignee=user%3Aabc<:3-2;team%3A2:7`. */
const UNDO_FIELDS = ['assignee', 'priority'] as const
type UndoField = (typeof UNDO_FIELDS)[number]
/** `to`: the value that the change had led to; each group what its issues had before. */
export type FieldUndo = {
  readonly field: UndoField
  readonly to: string
  readonly groups: readonly { readonly value: string; readonly ids: readonly number[] }[]
}

/** Undefined when nothing changed, and when it were too long to carry. */
export function writeFieldUndo(
  field: UndoField,
  to: string,
  before: readonly { readonly id: number; readonly value: string }[],
): string | undefined {
  if (before.length === 0) return undefined
  const parts = [...Map.groupBy(before, ({ value }) => value)].map(
    ([value, rows]) => `${encodeURIComponent(value)}:${writeIds(rows.map(({ id }) => id))}`,
  )
  const text = `${field}=${encodeURIComponent(to)}<${parts.join(';')}`
  return text.length > MAX_UNDO_CHARS ? undefined : text
}

/** Undefined for text that `writeFieldUndo` did not write. */
function readFieldUndo(text: string): FieldUndo | undefined {
  const head = /^([a-z]{1,20})=([\w.!~*'()%-]{0,1000})<([^<]+)$/.exec(text)
  const field = UNDO_FIELDS.find((known) => known === head?.[1])
  const to = decoded(head?.[2] ?? '')
  if (text.length > MAX_UNDO_CHARS || !head || !field || to === undefined) return undefined
  const groups: { value: string; ids: readonly number[] }[] = []
  for (const part of (head[3] ?? '').split(';')) {
    const group = /^([\w.!~*'()%-]{0,1000}):([0-9a-z.-]+)$/.exec(part)
    const value = decoded(group?.[1] ?? '')
    const ids = readIds(group?.[2] ?? '', MAX_IDS)
    if (!group || value === undefined || !ids || ids.length === 0) return undefined
    groups.push({ value, ids })
  }
  return { field, to, groups }
}

const isStatus = (text: string | undefined): text is IssueStatus =>
  (ISSUE_STATUSES as readonly (string | undefined)[]).includes(text)

/** Ids as a short text: what an undo carries through the page. Runs of neighbours and small steps cost little. */

/** `3,4,5,9` → `3-2.4`: steps from the id before in base 36, `-` and how many follow without a gap. */
export function writeIds(ids: readonly number[]): string {
  const sorted = [...new Set(ids)].toSorted((a, b) => a - b)
  const parts: string[] = []
  let last = 0
  for (let index = 0; index < sorted.length;) {
    const start = sorted[index] ?? 0
    let run = 0
    while (sorted[index + run + 1] === start + run + 1) run++
    parts.push((start - last).toString(36) + (run === 0 ? '' : `-${run.toString(36)}`))
    last = start + run
    index += run + 1
  }
  return parts.join('.')
}

/** Undefined for text that `writeIds` did not write, and for more ids than `max`. */
export function readIds(text: string, max: number): number[] | undefined {
  const ids: number[] = []
  let last = 0
  for (const part of text === '' ? [] : text.split('.')) {
    const match = /^([0-9a-z]{1,10})(?:-([0-9a-z]{1,5}))?$/.exec(part)
    if (!match) return undefined
    const start = last + Number.parseInt(match[1] ?? '', 36)
    const run = match[2] === undefined ? 0 : Number.parseInt(match[2], 36)
    if (start <= last || !Number.isSafeInteger(start) || ids.length + run + 1 > max) return undefined
    for (let id = start; id <= start + run; id++) ids.push(id)
    last = start + run
  }
  return ids
}
