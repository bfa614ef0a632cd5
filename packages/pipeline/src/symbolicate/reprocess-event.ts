/** A stored event, read again with the files that are there now: what would be stored if it came today. */
import { isDeepStrictEqual } from 'node:util'
import type { Exception, Frame, NormalizedEvent, Stacktrace, Thread } from '@sonde/protocol/event'
import { DEFAULT_GROUPING, type EventFields, type GroupingRules } from '@sonde/stores'
import { groupByRules, hashesOf, withoutRules } from '../group/group-by-rules.ts'
import { isMissingFiles, type MissingFiles } from '../maps/file-requests.ts'
import type { Mutable } from '../normalize/read-fields.ts'
import type { IssueFields } from '../process/processed.ts'
import { DEFAULT_SCRUB_SETTINGS, scrubEvent, type ScrubSettings, scrubTrace } from '../scrub/index.ts'
import { eventFields, issueFields } from '../stages/encode.ts'
import type { ItemFiles } from '../stages/event-input.ts'
import { symbolicateItem, withOwnTitle } from './symbolicate-event.ts'

/** Columns of a row of `events`. */
export type StoredEvent = {
  readonly projectId: number
  readonly logPartition?: number | undefined
  readonly logPosition: number
  readonly itemIndex: number
  readonly receivedMs: number
  /** JSON of the `NormalizedEvent`. */
  readonly payload: string
  /** Of its project, as it is now. */
  readonly grouping?: GroupingRules
  /** It is scrubbed, by the project's rules `scrub`, and nothing else. */
  readonly isScrubbed?: boolean
  readonly scrub?: ScrubSettings
}

export type Reprocessed =
  | {
      readonly ok: true
      /** The event itself; where it is the same the row and the issue need no change. */
      readonly changed: boolean
      /** Of the row, with revision 0: the writer knows the revision that it replaces. */
      readonly fields: EventFields
      /** The primary one first. */
      readonly hashes: readonly string[]
      readonly issue: IssueFields
    }
  /** It stays as it is: its payload cannot be read, or reading it ended a thread. */
  | { readonly ok: false; readonly detail: string }

export function reprocessEvent(stored: StoredEvent, files: ItemFiles): Reprocessed | MissingFiles {
  const { projectId, itemIndex, receivedMs, payload, grouping = DEFAULT_GROUPING } = stored
  let before: NormalizedEvent
  try {
    before = JSON.parse(payload) as NormalizedEvent
  } catch (error) {
    return { ok: false, detail: `the stored payload is no JSON: ${(error as Error).message}` }
  }
  if (stored.isScrubbed) return scrubStored(stored, before)
  const unruled = withoutRules(before)
  const readable = symbolicateItem(withRawStacks(unruled), projectId, files)
  if (isMissingFiles(readable)) return readable
  const reason = before.derived.grouping
  // Rules that changed meanwhile regroup nothing by themselves: a file came, and this event does not need it.
  const isSame = reason !== undefined && isDeepStrictEqual(readable, unruled)
  const { event, hashes } = isSame
    ? { event: before, hashes: hashesOf(reason) }
    : groupByRules(readable, grouping, receivedMs)
  const fields = eventFields({
    event,
    hashes,
    partition: stored.logPartition,
    position: stored.logPosition,
    itemIndex,
    projectId,
    receivedMs,
  })
  const changed = !isSame && !isDeepStrictEqual(event, before)
  return { ok: true, changed, fields, hashes, issue: issueFields(event, fields) }
}

/** Its stacks, its fingerprints and so its issue stay: source maps of then may be gone. */
function scrubStored(stored: StoredEvent, before: NormalizedEvent): Reprocessed {
  const reason = before.derived.grouping
  if (reason === undefined) return { ok: false, detail: 'the stored event does not say how it was grouped' }
  const rules = stored.scrub ?? DEFAULT_SCRUB_SETTINGS
  const scrubbed = scrubEvent(before, rules)
  const event = { ...scrubbed, derived: { ...scrubbed.derived, grouping: scrubTrace(reason, rules) } }
  const hashes = hashesOf(reason)
  const { logPartition: partition, logPosition: position, itemIndex, projectId, receivedMs } = stored
  const fields = eventFields({ event, hashes, partition, position, itemIndex, projectId, receivedMs })
  return {
    ok: true,
    changed: !isDeepStrictEqual(event, before),
    fields,
    hashes,
    issue: issueFields(event, fields),
  }
}

// Undoes symbolication: the stacks as the SDK sent them, so that they can be read with other files.

/** Of an event that was stored. What was not symbolicated is as it was. */
export function withRawStacks(event: NormalizedEvent): NormalizedEvent {
  const out: Mutable<NormalizedEvent> = { ...event }
  if (event.exception) out.exception = event.exception.map((entry) => withRawStack(withRawNames(entry)))
  if (event.threads) out.threads = event.threads.map(withRawStack)
  return withOwnTitle(out, event)
}

function withRawNames(entry: Exception): Exception {
  const { raw_type: type, raw_module: module, ...rest } = entry
  if (type === undefined) return entry
  const { module: _module, ...unnamed } = rest
  return { ...unnamed, type, ...(module !== undefined && { module }) }
}

function withRawStack<Entry extends Exception | Thread>(entry: Entry): Entry {
  const { raw_stacktrace: before, stacktrace } = entry
  if (!stacktrace) return entry
  if (before && stacktrace.frames.some(isOurs)) {
    const { raw_stacktrace: _, ...rest } = entry
    return { ...rest, stacktrace: before } as Entry
  }
  if (!stacktrace.frames.some((frame) => frame.problem)) return entry
  return { ...entry, stacktrace: withoutProblems(stacktrace) }
}

function withoutProblems(stacktrace: Stacktrace): Stacktrace {
  const frames = stacktrace.frames.map(({ problem: _problem, ...frame }): Frame => frame)
  return { ...stacktrace, frames }
}

const isOurs = (frame: Frame): boolean => frame.data?.['symbolicated'] === true
