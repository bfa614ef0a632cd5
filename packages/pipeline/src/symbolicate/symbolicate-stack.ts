/** One stack: each frame of a script is led back to its source, or says why it is not. */
import type { Frame, Stacktrace } from '@sonde/protocol/event'
import type { Source } from '@sonde/sourcemaps'
import type { FoundFiles } from '@sonde/stores'
import type { KnownFiles } from '../maps/file-requests.ts'
import { isInApp } from '../normalize/in-app.ts'
import { type DebugIds, findFiles, placeOf, type ScriptPlace, showsItsCode } from './find-files.ts'
import { type ReadPosition, readPosition } from './read-position.ts'
import { shareFrames } from './shared-frames.ts'

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

/** Undefined when symbolication changed nothing. `raw`: the stack as it came. Meaningless while files are still missing. */
export function symbolicateStack(
  stacktrace: Stacktrace,
  of: StackOf,
  files: KnownFiles,
): (SymbolicatedStack & { readonly raw: Stacktrace }) | undefined {
  let frames: Frame[] | undefined
  let rawFrames: Frame[] | undefined
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
      const scriptUrl = raw.abs_path ?? raw.filename ?? ''
      const shared = sharedFrames.get(read, raw, calledAs, () => mappedFrame(raw, scriptUrl, read, calledAs))
      rawFrames ??= [...stacktrace.frames]
      rawFrames[at] = shared.raw
      frames[at] = shared.mapped
    } else frames[at] = { ...raw, problem: { reason: read.problem, detail: read.detail.slice(0, 512) } }
  })
  const raw = rawFrames ? { ...stacktrace, frames: rawFrames } : stacktrace
  return frames && { stacktrace: { ...stacktrace, frames }, raw, isMapped }
}

const sharedFrames = shareFrames<ReadPosition>()

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

/** A frame of generated code → the frame of its source. */
const MAX_NAME = 256
const MAX_PATH = 512

/** `calledAs`: what the caller's code calls this function, where nothing else names it. */
function mappedFrame(
  raw: Frame,
  scriptUrl: string,
  read: Extract<ReadPosition, { readonly ok: true }>,
  calledAs: string | undefined,
): Frame {
  const { position, filename: name, context, problem, detail, mapUrl } = read
  const { source, line, column } = position
  const {
    function: rawFunction,
    module: _module,
    pre_context: _before,
    context_line: _line,
    post_context: _after,
    problem: _problem,
    ...kept
  } = raw
  const functionName = read.isNameKnown ? read.functionName : (calledAs ?? survivingName(rawFunction))
  return {
    ...(typeof functionName === 'string' &&
      functionName !== '' && { function: functionName.slice(0, MAX_NAME) }),
    ...kept,
    filename: (name ?? mapUrl).slice(0, MAX_PATH),
    abs_path: absolutePath(source, mapUrl, scriptUrl),
    lineno: line + 1,
    colno: column + 1,
    ...(context && {
      ...(context.before.length > 0 && { pre_context: context.before }),
      context_line: context.line,
      ...(context.after.length > 0 && { post_context: context.after }),
    }),
    in_app: read.isInApp ?? raw.in_app,
    data: { ...raw.data, sourcemap: mapUrl.slice(0, MAX_PATH), symbolicated: true },
    ...(problem !== undefined && { problem: { reason: problem, detail: detail.slice(0, MAX_PATH) } }),
  }
}

/** Names of one to three letters are the minifier's; `?` and nameless ones say nothing. */
function survivingName(name: string | undefined): string | undefined {
  const own = name?.split('.').at(-1) ?? ''
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]{3,}$/u.test(own) ? own : undefined
}

/** Sources are named relative to their map; as an address two projects' `src/index.ts` can be distinguished. */
function absolutePath(source: Source, mapUrl: string, scriptUrl: string): string {
  const known = absolutePaths.get(source)
  if (known?.scriptUrl === scriptUrl) return known.path
  const path = resolved(source.path ?? mapUrl, scriptUrl).slice(0, MAX_PATH)
  absolutePaths.set(source, { scriptUrl, path })
  return path
}
/** Reading addresses takes longer than the rest of a frame. */
const absolutePaths = new WeakMap<Source, { readonly scriptUrl: string; readonly path: string }>()

function resolved(path: string, scriptUrl: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(path)) return path
  try {
    return decodeURI(new URL(path, scriptUrl).href)
  } catch {
    return path
  }
}
