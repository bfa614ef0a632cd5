/** How a change is taken back, as a text in a hidden field: `resolved<unresolved/new:3-2.4;…`. */
import { SHOWN_STATUSES, type ShownStatus } from '../issue/shown-status.ts'
import { readIds, writeIds } from './id-list.ts'

export type UndoGroup = {
  readonly status: ShownStatus
  readonly substatus: string
  readonly ids: readonly number[]
}
/** `from`: the state that the change had led to. */
export type Undo = { readonly from: ShownStatus; readonly groups: readonly UndoGroup[] }

/** Of one undo, so that a form stays below what the server takes (1 MiB); 100,000 scattered ids are about half. */
export const MAX_UNDO_CHARS = 500_000
const MAX_IDS = 200_000

type State = { readonly id: number; readonly status: string; readonly substatus: string }

/** Undefined when nothing changed, and when it were too long to carry. */
export function writeUndo(from: ShownStatus, before: readonly State[]): string | undefined {
  const groups = Map.groupBy(
    before.filter((state) => state.status !== from),
    ({ status, substatus }) => `${status}/${substatus}`,
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
    const match = /^([a-z]+)\/([a-z_]{0,32}):([0-9a-z.-]+)$/.exec(part)
    const ids = readIds(match?.[3] ?? '', MAX_IDS)
    const status = match?.[1]
    if (!match || !ids || ids.length === 0 || !isStatus(status)) return undefined
    groups.push({ status, substatus: match[2] ?? '', ids })
  }
  return { from, groups }
}

const isStatus = (text: string | undefined): text is ShownStatus =>
  (SHOWN_STATUSES as readonly (string | undefined)[]).includes(text)
