/** A stack of addresses: each frame gets the function, file and line that the debug file of its image tells. */
import type { Frame, Stacktrace } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import { demangle, type SymbolPlace } from '@sonde/symbols'
import type { KnownFiles } from '../maps/file-requests.ts'
import { isInApp } from '../normalize/in-app.ts'
import { calledAddress, imageAt, type Images, type NativeImage } from './images.ts'
import type { SymbolicatedStack } from './symbolicate-stack.ts'

const MAX_NAME = 256
const MAX_PATH = 512
/** Inlined calls make several of one; a stack never grows beyond this. */
const MAX_FRAMES = 500

/** Undefined when nothing changed. Meaningless while files are still missing. */
export function symbolicateNative(
  stacktrace: Stacktrace,
  { native }: Images,
  of: { readonly projectId: number; readonly platform: string },
  files: KnownFiles,
): SymbolicatedStack | undefined {
  let isMapped = false
  let isChanged = false
  const frames: Frame[] = []
  const last = stacktrace.frames.length - 1
  stacktrace.frames.forEach((raw, at) => {
    const address = isScript(raw.platform ?? of.platform) ? undefined : calledAddress(raw, at === last)
    const image = address === undefined ? undefined : imageAt(native, address)
    if (address === undefined || !image) {
      frames.push(raw)
      return
    }
    const read = readAt(image, address, of.projectId, files)
    if (read === undefined) return
    isChanged = true
    if (!read.ok) {
      // The SDK knew the name already, as it does of system libraries: nobody has to upload anything.
      const isKnown = raw.function !== undefined && !raw.in_app
      frames.push({
        ...raw,
        ...(!isKnown && { problem: { reason: read.problem, detail: read.detail.slice(0, MAX_PATH) } }),
      })
      return
    }
    isMapped = true
    // The innermost is told first, and stands last in a stack.
    const places = read.places.toReversed().slice(-Math.max(1, MAX_FRAMES - stacktrace.frames.length))
    places.forEach((place, depth) =>
      frames.push(mappedFrame(raw, place, image, read, depth > 0, of.platform)),
    )
  })
  return isChanged ? { stacktrace: { ...stacktrace, frames }, isMapped } : undefined
}

type Read =
  | {
      readonly ok: true
      readonly places: readonly SymbolPlace[]
      readonly lacksLines: string | undefined
      readonly start: number | undefined
    }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

/** Undefined: files are not known yet, and noted as missing. */
function readAt(image: NativeImage, address: number, projectId: number, files: KnownFiles): Read | undefined {
  const { debugId } = image
  const name = baseName(image.name)
  if (debugId === '')
    return { ok: false, problem: 'no_debug_file', detail: `${name} has no debug id: link it with --build-id` }
  const found = files.ask({ kind: 'debug_file', projectId, debugId })
  if (found === undefined) return undefined
  if (found === 'none')
    return { ok: false, problem: 'no_debug_file', detail: `upload ${name}, debug id ${debugId}` }
  const loaded = files.debugFile(found)
  if (loaded === undefined) return undefined
  if (!loaded.ok) return { ok: false, problem: loaded.problem, detail: `${found.url}: ${loaded.detail}` }
  if (loaded.kind !== 'symbols')
    return { ok: false, problem: 'broken_debug_file', detail: `${found.url} is no file of symbols` }
  const places = loaded.table.lookUp(address - image.start)
  if (places.length === 0) {
    const offset = (address - image.start).toString(16)
    return { ok: false, problem: 'no_symbol', detail: `${found.url} has nothing at 0x${offset}` }
  }
  const start = loaded.table.startOf(address - image.start)
  return { ok: true, places, lacksLines: loaded.table.lacksLines, start }
}

function mappedFrame(
  raw: Frame,
  place: SymbolPlace,
  image: NativeImage,
  { lacksLines, start }: Extract<Read, { readonly ok: true }>,
  /** Compiled into the frame before it, which is its caller. */
  isInlined: boolean,
  platform: string,
): Frame {
  const {
    problem: _problem,
    function: rawFunction,
    filename: _name,
    abs_path: _path,
    lineno: _line,
    colno: _column,
    ...kept
  } = raw
  const name = demangle(place.function)
  const before = name === place.function ? rawFunction : place.function
  const frame: Frame = {
    ...kept,
    function: name.slice(0, MAX_NAME),
    ...(before !== undefined &&
      raw.raw_function === undefined &&
      before !== name && { raw_function: before.slice(0, MAX_NAME) }),
    ...(place.file !== undefined && {
      filename: baseName(place.file).slice(0, MAX_NAME),
      abs_path: place.file.slice(0, MAX_PATH),
    }),
    ...(place.line !== undefined && { lineno: place.line }),
    ...(raw.package === undefined && image.name !== '' && { package: image.name.slice(0, MAX_PATH) }),
    ...(start !== undefined && { symbol_addr: `0x${(image.start + start).toString(16)}` }),
    image_addr: `0x${image.start.toString(16)}`,
    data: { ...raw.data, symbolicated: true, ...(isInlined && { inlined: true }) },
    ...(place.line === undefined && {
      problem: {
        reason: 'no_lines' as const,
        detail: `${baseName(image.name)}: ${lacksLines ?? 'it has no line for this address'}`.slice(
          0,
          MAX_PATH,
        ),
      },
    }),
  }
  return { ...frame, in_app: raw.in_app && isInApp(frame, raw.platform ?? platform) }
}

const isScript = (platform: string): boolean => platform === 'javascript' || platform === 'node'

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
