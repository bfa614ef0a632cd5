/** The chain of exceptions, innermost cause first. https://develop.sentry.dev/sdk/data-model/event-payloads/exception/ */
import type { Exception } from '@sonde/protocol/event'
import { BAG, trimBag } from './bag.ts'
import { isObject, lenientText, limitText, listOf, textField, type Mutable, type RawObject } from './read.ts'
import { invalid, remark, within, type Scope } from './scope.ts'
import { readMechanism } from './mechanism.ts'
import { readStacktrace } from './stacktrace.ts'
import type { StackState } from './stack-state.ts'

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
  const text = lenientText(raw) ?? JSON.stringify(trimBag(scope, 'value', raw, BAG.large))
  return limitText(scope, 'value', text, MESSAGE, MESSAGE_TOLERANCE)
}

/** `TypeError: x is undefined` sent as value alone. */
function splitType(value: string): { type: string; value: string } | undefined {
  const match = /^(\w{1,256}):\s(.*)$/s.exec(value)
  return match ? { type: match[1]!, value: match[2]!.trim() } : undefined
}
