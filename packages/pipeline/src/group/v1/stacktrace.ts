/** Which frames of a stack trace decide: those of the application where there are any, without repetition. */
import type { Exception, Stacktrace } from '@sonde/protocol/event'
import { type FrameValue, frameValues } from './frame.ts'
import { withoutMinifiedNames } from './minified.ts'
import { parameterizeMessage } from './parameterize-message.ts'

/** The frames nearest to the crash. A stack overflow has thousands, and their number is chance. */
const MAX_FRAMES = 50
/** Functions that call each other in a ring of up to this many repeat as a block. */
const LONGEST_CYCLE = 4

export type StacktraceValue = {
  /** Crash last. Empty: the stack trace says nothing. */
  readonly values: readonly string[]
  /** Minified frames are the majority, so the stack alone is too thin to tell errors apart. */
  readonly weak: boolean
  readonly note?: string
}

export function stacktraceValue(stacktrace: Stacktrace | undefined, platform: string): StacktraceValue {
  const all = stacktrace?.frames ?? []
  const own = all.filter((frame) => frame.in_app)
  const used = own.length > 0 ? own : all
  const frames = frameValues(used, platform)
  const minified = frames.filter((frame) => frame.minified).length
  const values = collapseRepetition(frames.filter((frame) => frame.text !== '')).slice(-MAX_FRAMES)
  const weak = minified > 0 && minified * 2 >= frames.length
  const notes = [
    ...(own.length > 0 && own.length < all.length
      ? [`${own.length} of ${all.length} frames are in the app`]
      : []),
    ...(own.length === 0 && all.length > 0 ? ['no frame is in the app: all count'] : []),
    ...(minified > 0 ? [`${minified} minified frames without a source map`] : []),
  ]
  return {
    values: values.map((value) => value.text),
    weak,
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  }
}

/** `a b c b c b c d` → `a b c d`: how deep a recursion went is not what went wrong. */
function collapseRepetition(frames: readonly FrameValue[]): FrameValue[] {
  const kept: FrameValue[] = []
  for (const frame of frames) {
    kept.push(frame)
    for (let length = 1; length <= LONGEST_CYCLE && repeatsBlock(kept, length); length++);
  }
  return kept
}

/** Removes the last `length` frames when they equal those before them. True: go on with longer blocks. */
function repeatsBlock(frames: FrameValue[], length: number): boolean {
  if (frames.length < length * 2) return false
  for (let at = 1; at <= length; at++) {
    if (frames[frames.length - at]?.text !== frames[frames.length - length - at]?.text) return true
  }
  frames.length -= length
  return false
}

/** What a chain of exceptions gives to the hash. */
export type Part = { readonly from: string; readonly value: string; readonly note?: string }
type ChainValue = { readonly parts: readonly Part[]; readonly basis: 'stacktrace' | 'exception' }

/**
 * A page that stayed open over a deploy cannot load the old files any more. One cause, however many chunks:
 * webpack, Vite (Chromium, Firefox, Safari), and a style sheet that went with them.
 */
const CHUNK_LOAD_FAILURE =
  /^(?:Loading (?:CSS )?chunk \S+ failed|Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS for )/i

export function chainValue(chain: readonly Exception[], platform: string): ChainValue | undefined {
  const failure = chain.findIndex(isChunkLoadFailure)
  if (failure >= 0) {
    const part = {
      from: `exception[${failure}]`,
      value: 'chunk load failure',
      note: 'one issue for all chunks',
    }
    return { parts: [part], basis: 'exception' }
  }
  const links = chain.map((exception, at) => linkValue(exception, `exception[${at}]`, platform))
  const ordered = chain.some((exception) => exception.mechanism?.is_exception_group) ? asSet(links) : links
  const parts = ordered.flatMap((link) => link.parts)
  if (parts.length === 0) return undefined
  return { parts, basis: links.some((link) => link.hasStack) ? 'stacktrace' : 'exception' }
}

type Link = { readonly parts: readonly Part[]; readonly hasStack: boolean }

/** Type, then the stack; the message where there is no stack or too little of one. */
function linkValue(exception: Exception, from: string, platform: string): Link {
  const stack = stacktraceValue(exception.stacktrace, platform)
  const parts: Part[] = []
  const type = exception.type ?? ''
  // A synthetic exception's type was made up by the SDK: a signal's name, `Error` around a message.
  if (type !== '' && exception.mechanism?.synthetic !== true) {
    parts.push({ from: `${from}.type`, value: parameterizeMessage(type) })
  }
  const hasStack = stack.values.length > 0
  const code = nsError(exception)
  if (code !== undefined) parts.push({ from: `${from}.mechanism.meta.ns_error`, value: code })
  if ((!hasStack || stack.weak) && code === undefined) parts.push(...messagePart(exception, from, stack.weak))
  for (const [at, value] of stack.values.entries()) {
    const note = at === 0 ? stack.note : undefined
    parts.push({ from: `${from}.stacktrace`, value, ...(note === undefined ? {} : { note }) })
  }
  if (parts.length === 0 && type !== '') parts.push({ from: `${from}.type`, value: type })
  return { parts, hasStack }
}

function messagePart(exception: Exception, from: string, weak: boolean): Part[] {
  const value = exception.value ?? ''
  if (value.trim() === '') return []
  const plain = parameterizeMessage(weak ? withoutMinifiedNames(value) : value)
  const note = plain === value ? undefined : 'changing values replaced'
  return [{ from: `${from}.value`, value: plain, ...(note === undefined ? {} : { note }) }]
}

function nsError(exception: Exception): string | undefined {
  const error = exception.mechanism?.meta?.['ns_error']
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return undefined
  const { domain, code } = error as { readonly domain?: unknown; readonly code?: unknown }
  if (typeof domain !== 'string' && typeof code !== 'number' && typeof code !== 'string') return undefined
  return `${typeof domain === 'string' ? domain : ''} ${typeof code === 'number' || typeof code === 'string' ? code : ''}`
}

function isChunkLoadFailure(exception: Exception): boolean {
  return exception.type === 'ChunkLoadError' || CHUNK_LOAD_FAILURE.test(exception.value ?? '')
}

/** How many tasks of a group failed, and in which order, is chance. */
function asSet(links: readonly Link[]): Link[] {
  const byText = new Map(links.map((link) => [link.parts.map((part) => part.value).join('\n'), link]))
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link)
}
