/** The chain of exceptions, innermost cause first. https://develop.sentry.dev/sdk/data-model/event-payloads/exception/ */
import type { Exception, Frame, NormalizedEvent } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject, trimJson } from './bounded-json.ts'
import { invalid, remark, type Scope, within } from './meta-remarks.ts'
import {
  booleanField,
  countField,
  isObject,
  lenientText,
  limitText,
  listOf,
  type Mutable,
  type RawObject,
  textField,
} from './read-fields.ts'
import { readStacktrace, type StackState } from './stacktrace.ts'

const MAX_EXCEPTIONS = 50
const MESSAGE = 8192
const MESSAGE_TOLERANCE = 200

export function readExceptions(
  scope: Scope,
  raw: unknown,
  legacyStacktrace: unknown,
  state: StackState,
): Exception[] | undefined {
  const all = listOf(raw)
  if (all.length === 0) return undefined
  // The last one was thrown, so the front of an endless chain is given up.
  const list = all.length > MAX_EXCEPTIONS ? all.slice(-MAX_EXCEPTIONS) : all
  if (list !== all) remark(scope, 'exception', 'trimmed', '!limit', all.length)
  const listScope = within(scope, 'exception')
  const exceptions: Exception[] = []
  for (const entry of list) {
    if (entry === null || entry === undefined) continue
    if (!isObject(entry)) {
      invalid(listScope, exceptions.length, entry)
      continue
    }
    const adopted = list.length === 1 ? (entry.stacktrace ?? legacyStacktrace) : entry.stacktrace
    const exception = readException(within(listScope, exceptions.length), entry, adopted, state)
    if (exception) exceptions.push(exception)
  }
  return exceptions.length > 0 ? exceptions : undefined
}

function readException(
  scope: Scope,
  raw: RawObject,
  rawStacktrace: unknown,
  state: StackState,
): Exception | undefined {
  const exception: Mutable<Exception> = {}
  const type = textField(scope, raw, 'type', 256, 20)
  const value = readValue(scope, raw.value)
  const split = type === undefined && value !== undefined ? splitType(value) : undefined
  if (split) {
    exception.type = split.type
    exception.value = split.value
  } else {
    if (type !== undefined) exception.type = type
    if (value !== undefined) exception.value = value
  }
  const module = textField(scope, raw, 'module', 256, 20)
  if (module !== undefined) exception.module = module
  const threadId = textField(scope, raw, 'thread_id', 128)
  if (threadId !== undefined) exception.thread_id = threadId
  const mechanism = readMechanism(within(scope, 'mechanism'), raw.mechanism)
  if (mechanism) exception.mechanism = mechanism
  const stacktrace = readStacktrace(within(scope, 'stacktrace'), rawStacktrace, state)
  if (stacktrace) exception.stacktrace = stacktrace
  const before = readStacktrace(within(scope, 'raw_stacktrace'), raw.raw_stacktrace, state)
  if (before) exception.raw_stacktrace = before
  // Upstream drops an exception without type and value; one with a stack still shows where it happened.
  const empty = exception.type === undefined && exception.value === undefined && !stacktrace
  return empty ? undefined : exception
}

function readValue(scope: Scope, raw: unknown): string | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined
  const text = lenientText(raw) ?? JSON.stringify(trimJson(scope, 'value', raw, JSON_LIMITS.large))
  return limitText(scope, 'value', text, MESSAGE, MESSAGE_TOLERANCE)
}

/** `TypeError: x is undefined` sent as value alone. */
function splitType(value: string): { type: string; value: string } | undefined {
  const match = /^(\w{1,256}):\s(.*)$/s.exec(value)
  return match ? { type: match[1]!, value: match[2]!.trim() } : undefined
}

/** How an exception was caught. https://develop.sentry.dev/sdk/data-model/event-payloads/exception/#exception-mechanism */
type Mechanism = NonNullable<Exception['mechanism']>

function readMechanism(scope: Scope, raw: unknown): Mechanism | undefined {
  if (!isObject(raw)) return undefined
  const mechanism: Mutable<Mechanism> = { type: textField(scope, raw, 'type', 128) ?? 'generic' }
  const handled = booleanField(scope, raw, 'handled')
  if (handled !== undefined) mechanism.handled = handled
  const synthetic = booleanField(scope, raw, 'synthetic')
  if (synthetic !== undefined) mechanism.synthetic = synthetic
  const source = textField(scope, raw, 'source', 128)
  if (source !== undefined) mechanism.source = source
  const exceptionId = countField(scope, raw, 'exception_id')
  if (exceptionId !== undefined) mechanism.exception_id = exceptionId
  const parentId = countField(scope, raw, 'parent_id')
  if (parentId !== undefined) mechanism.parent_id = parentId
  const isGroup = booleanField(scope, raw, 'is_exception_group')
  if (isGroup !== undefined) mechanism.is_exception_group = isGroup
  const description = textField(scope, raw, 'description', 8192, 200)
  if (description !== undefined) mechanism.description = description
  const helpLink = textField(scope, raw, 'help_link', 1024, 100)
  if (helpLink !== undefined) mechanism.help_link = helpLink
  const data = boundedObject(scope, 'data', raw.data, JSON_LIMITS.medium)
  if (data !== undefined) mechanism.data = data
  const meta = boundedObject(scope, 'meta', raw.meta, JSON_LIMITS.medium)
  if (meta !== undefined) mechanism.meta = meta
  return mechanism
}

/** Which exception and which frame stand for the event: in its title, its culprit, its tags. */
type Source = Pick<NormalizedEvent, 'exception' | 'threads' | 'unknown'>

/** The one that the SDK named (exception groups), else the last: the one that was thrown. */
export function mainException(event: Source): Exception | undefined {
  const list = event.exception
  if (!list) return undefined
  const id = event.unknown?.main_exception_id
  const named =
    typeof id === 'number' ? list.find((entry) => entry.mechanism?.exception_id === id) : undefined
  return named ?? list.at(-1)
}

/** Frames of the main exception, else of the crashed, the current, or the only thread. */
export function mainFrames(event: Source): readonly Frame[] | undefined {
  const own = mainException(event)?.stacktrace?.frames
  if (own) return own
  const threads = event.threads
  if (!threads) return undefined
  const thread =
    threads.find((entry) => entry.crashed) ??
    threads.find((entry) => entry.current) ??
    (threads.length === 1 ? threads[0] : undefined)
  return thread?.stacktrace?.frames
}

/** The last frame of the user's own code, else the last one. */
export function crashFrame(frames: readonly Frame[] | undefined): Frame | undefined {
  return frames?.findLast((frame) => frame.in_app) ?? frames?.at(-1)
}
