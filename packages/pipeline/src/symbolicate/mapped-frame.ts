/** A frame of generated code → the frame of its source. */
import type { Frame } from '@sonde/protocol/event'
import type { Source } from '@sonde/sourcemaps'
import type { ReadPosition } from './read-position.ts'

const MAX_NAME = 256
const MAX_PATH = 512

/** `calledAs`: what the caller's code calls this function, where nothing else names it. */
export function mappedFrame(
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

/** Sources are named relative to their map; as an address two projects' `src/index.ts` can be told apart. */
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
