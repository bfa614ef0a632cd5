/**
 * The stage between scrubbing and grouping: frames of bundled scripts become frames of their sources. The stacks as they
 * came are kept beside (guarantee G6), so that it can be done again when a map comes late.
 * docs/internals/symbolication.md
 */
import type { Exception, Frame, NormalizedEvent, Stacktrace, Thread } from '@sonde/protocol/event'
import type { KnownFiles, MissingFiles } from '../maps/file-requests.ts'
import type { ThreadFiles } from '../maps/thread-files.ts'
import type { Mutable } from '../normalize/read-fields.ts'
import { culpritOf, metadataOf, titleOf } from '../normalize/title.ts'
import { debugIdsOf, mayHaveScripts } from './find-files.ts'
import { imagesOf, type Images } from './images.ts'
import { type NameFiles, nameFilesOf, renameException, retraceStack } from './mapped-names.ts'
import { symbolicateNative } from './native-stack.ts'
import { type StackOf, symbolicateStack } from './symbolicate-stack.ts'

/**
 * Pure but for what `files` notes as missing: then the answer is not to be used. `event` is as it came from its SDK, or
 * with its raw stacks put back.
 */
function symbolicateEvent(event: NormalizedEvent, projectId: number, files: KnownFiles): NormalizedEvent {
  const images = imagesOf(event)
  const read = mayHaveScripts(event) ? withSources(event, projectId, filesInHand(files)) : event
  const hasImages = images.native.length + images.mappings.length + images.dart.length > 0
  return hasImages ? withNames(read, images, projectId, files) : read
}

/** Looked for once for an event and not for each of its frames: to look is to note what was used last. */
function filesInHand(files: KnownFiles): KnownFiles {
  const maps = new Map<object, ReturnType<KnownFiles['map']>>()
  const scripts = new Map<object, ReturnType<KnownFiles['script']>>()
  return {
    ...files,
    map(found) {
      if (!maps.has(found)) maps.set(found, files.map(found))
      return maps.get(found)
    },
    script(file) {
      if (!scripts.has(file)) scripts.set(file, files.script(file))
      return scripts.get(file)
    },
  }
}

/** Frames of scripts. */
function withSources(event: NormalizedEvent, projectId: number, files: KnownFiles): NormalizedEvent {
  const of: StackOf = {
    projectId,
    platform: event.platform,
    release: event.release,
    dist: event.dist,
    debugIds: debugIdsOf(event),
    found: new Map(),
    pageUrl: event.request?.url?.split(/[?#]/, 1)[0],
  }
  const exception = mapped(event.exception, (entry) => symbolicated(entry, of, files))
  const threads = mapped(event.threads, (entry) => symbolicated(entry, of, files))
  if (exception === event.exception && threads === event.threads) return event
  const out: Mutable<NormalizedEvent> = { ...event }
  if (exception) out.exception = exception
  if (threads) out.threads = threads
  return withOwnTitle(out, event)
}

/** Frames of native and of obfuscated programs. */
function withNames(
  event: NormalizedEvent,
  images: Images,
  projectId: number,
  files: KnownFiles,
): NormalizedEvent {
  const { platform } = event
  const areMarksTheirs = !mayHaveScripts(event)
  const names = nameFilesOf(images, projectId, files)
  const read = <Entry extends Exception | Thread>(entry: Entry): Entry => {
    const { stacktrace, raw_stacktrace: before }: WithStack = entry
    if (!stacktrace) return entry
    // Read by the stage above, or by an SDK that sends both.
    if (before)
      return areMarksTheirs && stacktrace.frames.some(isMapped)
        ? { ...entry, stacktrace: unmarked(stacktrace) }
        : entry
    const native = symbolicateNative(stacktrace, images, { projectId, platform }, files)
    const retraced = names && retraceStack(native?.stacktrace ?? stacktrace, platform, names)
    const result = retraced ?? native
    if (!result) return entry
    const isRead = native?.isMapped === true || retraced?.isMapped === true
    return { ...entry, stacktrace: result.stacktrace, ...(isRead && { raw_stacktrace: stacktrace }) }
  }
  const exception = mapped(event.exception, (entry) => renamed(read(entry), names))
  const threads = mapped(event.threads, read)
  if (exception === event.exception && threads === event.threads) return event
  const out: Mutable<NormalizedEvent> = { ...event }
  if (exception) out.exception = exception
  if (threads) out.threads = threads
  return withOwnTitle(out, event)
}

const renamed = (entry: Exception, names: NameFiles | undefined): Exception =>
  names ? renameException(entry, names) : entry

type WithStack = { readonly stacktrace?: Stacktrace; readonly raw_stacktrace?: Stacktrace }

function symbolicated<Entry extends Exception | Thread>(entry: Entry, of: StackOf, files: KnownFiles): Entry {
  const { stacktrace, raw_stacktrace: before }: WithStack = entry
  if (!stacktrace) return entry
  // An SDK that sends both has led it back itself.
  if (before) return stacktrace.frames.some(isMapped) ? { ...entry, stacktrace: unmarked(stacktrace) } : entry
  const result = symbolicateStack(stacktrace, of, files)
  if (!result) return entry
  return {
    ...entry,
    stacktrace: result.stacktrace,
    ...(result.isMapped && { raw_stacktrace: result.raw }),
  }
}

/** The same list where nothing changed. */
function mapped<Item>(
  list: readonly Item[] | undefined,
  change: (item: Item) => Item,
): readonly Item[] | undefined {
  const changed = list?.map(change)
  return changed?.some((item, at) => item !== list?.[at]) ? changed : list
}

const isMapped = ({ data }: Frame): boolean => data?.['symbolicated'] === true

/** The mark is ours: by it we know which raw stacks we may put back. */
function unmarked(stacktrace: Stacktrace): Stacktrace {
  const frames = stacktrace.frames.map((frame): Frame => {
    const { symbolicated: _, ...data } = frame.data ?? {}
    return isMapped(frame) ? { ...frame, data } : frame
  })
  return { ...stacktrace, frames }
}

/** Symbolicates what a thread has in hand: done, or what it lacks to be. */
export function symbolicateItem(
  event: NormalizedEvent,
  projectId: number,
  files: Pick<ThreadFiles, 'known' | 'takeLacks'>,
): NormalizedEvent | MissingFiles {
  let done: NormalizedEvent
  try {
    done = symbolicateEvent(event, projectId, files.known)
  } catch (error) {
    files.takeLacks()
    // A defect of ours must not cost the event: it is stored as it came.
    const value = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    return { ...event, errors: [...(event.errors ?? []), { type: FAILED, value }] }
  }
  const missing = files.takeLacks()
  return missing.length > 0 ? { missing } : done
}

export const FAILED = 'symbolication_failed'

// What an event is called, once its frames say something else than before.

/** `before`: the event from whose frames its title was made. A culprit that the SDK named stays. */
export function withOwnTitle(event: NormalizedEvent, before: NormalizedEvent): NormalizedEvent {
  const { derived } = event
  const title = derived.title === titleOf(before) ? titleOf(event) : derived.title
  const culprit = derived.culprit === culpritOf(before) ? culpritOf(event) : derived.culprit
  return { ...event, derived: { ...derived, title, culprit, metadata: metadataOf(event) } }
}
