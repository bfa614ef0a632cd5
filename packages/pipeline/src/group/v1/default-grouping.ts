/** What decides when neither SDK nor user said: the first of these that has something to say. */
import type { GroupingTrace, NormalizedEvent, Thread } from '@sonde/protocol/event'
import { chainValue, type Part } from './exception.ts'
import { parameterizeMessage } from './parameterize-message.ts'
import { securityParts } from './security.ts'
import { stablePath } from './stable-path.ts'
import { stacktraceValue } from './stacktrace.ts'

export type DefaultGrouping = { readonly basis: GroupingTrace['basis']; readonly parts: readonly Part[] }
export type GroupedEvent = Omit<NormalizedEvent, 'derived'>

export function defaultGrouping(event: GroupedEvent): DefaultGrouping {
  const security = securityParts(event)
  if (security.length > 0) return { basis: 'security', parts: security }
  const chain = chainValue(event.exception ?? [], event.platform)
  if (chain !== undefined) return chain
  const thread = threadParts(event)
  if (thread.length > 0) return { basis: 'stacktrace', parts: thread }
  const template = templateParts(event)
  if (template.length > 0) return { basis: 'stacktrace', parts: template }
  const message = messageParts(event)
  if (message.length > 0) return { basis: 'message', parts: message }
  return {
    basis: 'fallback',
    parts: [{ from: 'type', value: event.type, note: 'the event has nothing to tell it apart by' }],
  }
}

/** The one crashed thread, else the one current thread, else the only one. */
function threadParts(event: GroupedEvent): Part[] {
  const threads = event.threads ?? []
  const thread =
    onlyOne(threads.filter((each) => each.crashed)) ??
    onlyOne(threads.filter((each) => each.current)) ??
    onlyOne(threads)
  const stack = stacktraceValue(thread?.stacktrace, event.platform)
  const parts = stack.values.map((value, at): Part => {
    const note = at === 0 ? stack.note : undefined
    return { from: 'threads.stacktrace', value, ...(note === undefined ? {} : { note }) }
  })
  return stack.weak && parts.length > 0 ? [...messageParts(event), ...parts] : parts
}

function onlyOne(threads: readonly Thread[]): Thread | undefined {
  return threads.length === 1 ? threads[0] : undefined
}

/** Django's template interface. */
function templateParts(event: GroupedEvent): Part[] {
  const template = event.unknown?.['template']
  if (typeof template !== 'object' || template === null || Array.isArray(template)) return []
  const { filename, abs_path: absPath, context_line: line } = template as Record<string, unknown>
  const path = typeof filename === 'string' ? filename : absPath
  const parts: Part[] = []
  if (typeof path === 'string' && path !== '')
    parts.push({ from: 'template.filename', value: stablePath(path) })
  if (typeof line === 'string' && line.trim() !== '') {
    parts.push({ from: 'template.context_line', value: line.replace(/\s+/g, ' ').trim().slice(0, 500) })
  }
  return parts
}

/** The template of a formatted message is the better name; its parameters are what changes. */
function messageParts(event: GroupedEvent): Part[] {
  const { message, formatted } = event.logentry ?? {}
  const text = (message ?? '').trim() === '' ? formatted : message
  if (text === undefined || text.trim() === '') return []
  const value = parameterizeMessage(text)
  const from = text === formatted ? 'logentry.formatted' : 'logentry.message'
  return [{ from, value, ...(value === text ? {} : { note: 'changing values replaced' }) }]
}
