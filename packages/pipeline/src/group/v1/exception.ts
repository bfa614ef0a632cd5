/** What a chain of exceptions gives to the hash. */
import type { Exception } from '@sonde/protocol/event'
import { withoutMinifiedNames } from './minified.ts'
import { parameterizeMessage } from './parameterize-message.ts'
import { stacktraceValue } from './stacktrace.ts'

export type Part = { readonly from: string; readonly value: string; readonly note?: string }
export type ChainValue = { readonly parts: readonly Part[]; readonly basis: 'stacktrace' | 'exception' }

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
