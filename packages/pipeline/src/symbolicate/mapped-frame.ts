/** A frame of generated code → the frame of its source. */
import type { Frame } from '@sonde/protocol/event'
import { sourceName } from '@sonde/sourcemaps'
import type { ReadPosition } from './read-position.ts'
import { isSourceInApp } from './source-in-app.ts'

const MAX_NAME = 256
const MAX_PATH = 512

/** `calledAs`: what the caller's code calls this function, where nothing else names it. */
export function mappedFrame(
  raw: Frame,
  scriptUrl: string,
  read: Extract<ReadPosition, { readonly ok: true }>,
  calledAs: string | undefined,
): Frame {
  const { position, context, problem, detail, mapUrl } = read
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
  const name = sourceName(source.path)
  const functionName = read.isNameKnown ? read.functionName : (calledAs ?? survivingName(rawFunction))
  return {
    ...(typeof functionName === 'string' &&
      functionName !== '' && { function: functionName.slice(0, MAX_NAME) }),
    ...kept,
    filename: (name ?? mapUrl).slice(0, MAX_PATH),
    abs_path: absolutePath(source.path ?? mapUrl, scriptUrl).slice(0, MAX_PATH),
    lineno: line + 1,
    colno: column + 1,
    ...(context && {
      ...(context.before.length > 0 && { pre_context: context.before }),
      context_line: context.line,
      ...(context.after.length > 0 && { post_context: context.after }),
    }),
    in_app: isSourceInApp(source, name) ?? raw.in_app,
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
function absolutePath(path: string, scriptUrl: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(path)) return path
  try {
    return decodeURI(new URL(path, scriptUrl).href)
  } catch {
    return path
  }
}
