/**
 * How a change is taken back, as a text in a hidden field: `resolved<unresolved/new:3-2.4;…`, or with the release that an
 * issue was resolved in: `unresolved<resolved//next_release/shop%401.0:7`.
 */
import { SHOWN_STATUSES, type ShownStatus } from './shown-status.ts'
import { readIds, writeIds } from './id-list.ts'

export type UndoGroup = {
  readonly status: ShownStatus
  readonly substatus: string
  readonly resolvedIn: ResolvedIn
  readonly resolvedRelease: string
  readonly ids: readonly number[]
}
export type ResolvedIn = '' | 'release' | 'next_release'
/** `from`: the state that the change had led to. */
export type Undo = { readonly from: ShownStatus; readonly groups: readonly UndoGroup[] }

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
export function writeUndo(from: ShownStatus, before: readonly State[]): string | undefined {
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

const isStatus = (text: string | undefined): text is ShownStatus =>
  (SHOWN_STATUSES as readonly (string | undefined)[]).includes(text)
