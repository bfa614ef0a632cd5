/** A stored event, read again with the files that are there now: what would be stored if it came today. */
import { isDeepStrictEqual } from 'node:util'
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { EventFields } from '@sonde/stores'
import type { IssueFields } from '../digest/digested.ts'
import { groupEvent } from '../group/group-event.ts'
import { isLacking, type Lacking } from '../maps/known-files.ts'
import { eventFields, issueFields } from '../stages/encode.ts'
import type { ItemFiles } from '../stages/event-input.ts'
import { withRawStacks } from './raw-stacks.ts'
import { symbolicateItem } from './symbolicate-item.ts'

/** Columns of a row of `events`. */
export type StoredEvent = {
  readonly projectId: number
  readonly logPosition: number
  readonly itemIndex: number
  readonly receivedMs: number
  /** JSON of the `NormalizedEvent`. */
  readonly payload: string
}

export type Redigested =
  | {
      readonly ok: true
      /** The event itself; where it is the same the row and the issue need no change. */
      readonly changed: boolean
      /** Of the row, with revision 0: whoever writes it knows the revision that it replaces. */
      readonly fields: EventFields
      /** The primary one first. */
      readonly hashes: readonly string[]
      readonly issue: IssueFields
    }
  /** It stays as it is: its payload cannot be read, or reading it ended a thread. */
  | { readonly ok: false; readonly detail: string }

export function redigestEvent(stored: StoredEvent, files: ItemFiles): Redigested | Lacking {
  const { projectId, logPosition: position, itemIndex, receivedMs, payload } = stored
  let before: NormalizedEvent
  try {
    before = JSON.parse(payload) as NormalizedEvent
  } catch (error) {
    return { ok: false, detail: `the stored payload is no JSON: ${(error as Error).message}` }
  }
  const readable = symbolicateItem(withRawStacks(before), projectId, files)
  if (isLacking(readable)) return readable
  const grouping = groupEvent(readable)
  const { hashes } = grouping
  const event = { ...readable, derived: { ...readable.derived, grouping } }
  const fields = eventFields({ event, hashes, position, itemIndex, projectId, receivedMs })
  const changed = !isDeepStrictEqual(event, before)
  return { ok: true, changed, fields, hashes, issue: issueFields(event, fields) }
}
