/** One stack: each frame of a script is led back to its source, or says why it is not. */
import type { Frame, Stacktrace } from '@sonde/protocol/event'
import type { FoundFiles } from '@sonde/stores'
import type { KnownFiles } from '../maps/known-files.ts'
import { isInApp } from '../normalize/in-app.ts'
import { findFiles } from './find-files.ts'
import { mappedFrame } from './mapped-frame.ts'
import { type ReadPosition, readPosition } from './read-position.ts'
import { type DebugIds, placeOf, type ScriptPlace, showsItsCode } from './script-frames.ts'

export type StackOf = {
  readonly projectId: number
  readonly platform: string
  readonly release: string | undefined
  readonly dist: string | undefined
  readonly debugIds: DebugIds
  /** What was found for the event's scripts so far, by address: most frames are of a few. */
  readonly found: Map<string, FoundFiles>
  /** Address of the page without query: scripts that stand in it cannot be uploaded. */
  readonly pageUrl: string | undefined
}

export type SymbolicatedStack = {
  readonly stacktrace: Stacktrace
  /** At least one frame is another: the stack as it came must be kept beside it. */
  readonly isMapped: boolean
}

/** Undefined: it is as it was, no frame has anything to say. While files are lacking the answer is not to be used. */
export function symbolicateStack(
  stacktrace: Stacktrace,
  of: StackOf,
  files: KnownFiles,
): SymbolicatedStack | undefined {
  let frames: Frame[] | undefined
  let isMapped = false
  let caller: ReadPosition | undefined
  stacktrace.frames.forEach((raw, at) => {
    const read = readFrame(raw, of, files)
    const calledAs = at > 0 && !isAsync(stacktrace.frames[at - 1]!) ? calledName(caller) : undefined
    caller = read
    if (read === undefined) return
    frames ??= [...stacktrace.frames]
    if (read.ok) {
      isMapped = true
      frames[at] = mappedFrame(raw, raw.abs_path ?? raw.filename ?? '', read, calledAs)
    } else frames[at] = { ...raw, problem: { reason: read.problem, detail: read.detail.slice(0, 512) } }
  })
  return frames && { stacktrace: { ...stacktrace, frames }, isMapped }
}

function readFrame(raw: Frame, of: StackOf, files: KnownFiles): ReadPosition | undefined {
  const place = placeOf(raw, of.platform, of.debugIds)
  if (!place) return undefined
  if (place.debugId === undefined && place.url.split(/[?#]/, 1)[0] === of.pageUrl) return undefined
  const found = filesOf(place, of, files)
  if (found === undefined) return undefined
  if (found.ok) {
    const column = place.column === undefined ? undefined : place.column - 1
    return readPosition(files, found, place.line - 1, column, isAsync(raw))
  }
  // Nobody has to upload what can be read as it is, nor what is not theirs.
  if (place.debugId === undefined && (showsItsCode(raw) || isForeign(raw, of.platform))) return undefined
  return found
}

function filesOf(place: ScriptPlace, of: StackOf, files: KnownFiles): FoundFiles | undefined {
  const known = of.found.get(place.url)
  if (known) return known
  const found = findFiles(files, { ...of, ...place })
  if (found) of.found.set(place.url, found)
  return found
}

/** Some SDKs call every frame the application's own; its address may say that it is not. */
const isForeign = (raw: Frame, platform: string): boolean =>
  !raw.in_app || !isInApp(raw, raw.platform ?? platform)

/** Where a function is awaited nobody calls it. */
const isAsync = (raw: Frame): boolean => raw.function?.startsWith('async ') ?? false

function calledName(caller: ReadPosition | undefined): string | undefined {
  return caller?.ok ? (caller.position.name ?? undefined) : undefined
}
