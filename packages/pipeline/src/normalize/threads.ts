/** https://develop.sentry.dev/sdk/data-model/event-payloads/threads/ */
import type { Thread } from '@sonde/protocol/event'
import { booleanField, isObject, listOf, textField, type Mutable, type RawObject } from './read.ts'
import { remark, within, type Scope } from './scope.ts'
import { readStacktrace } from './stacktrace.ts'
import type { StackState } from './stack-state.ts'

const MAX_THREADS = 256

export function readThreads(scope: Scope, raw: unknown, state: StackState): Thread[] | undefined {
  const all = listOf(raw)
  if (all.length > MAX_THREADS) remark(scope, 'threads', 'trimmed', '!limit', all.length)
  const listScope = within(scope, 'threads')
  const threads: Thread[] = []
  for (const entry of all.slice(0, MAX_THREADS))
    if (isObject(entry)) threads.push(readThread(within(listScope, threads.length), entry, state))
  return threads.length > 0 ? threads : undefined
}

/** A stack trace beside exceptions that have their own, or without any: the thread that reported the event. */
export function threadOfLegacyStacktrace(
  scope: Scope,
  raw: unknown,
  state: StackState,
): Thread[] | undefined {
  const stacktrace = readStacktrace(within(scope, 'stacktrace'), raw, state)
  return stacktrace ? [{ current: true, stacktrace }] : undefined
}

function readThread(scope: Scope, raw: RawObject, state: StackState): Thread {
  const thread: Mutable<Thread> = {}
  const id = textField(scope, raw, 'id', 128)
  if (id !== undefined) thread.id = id
  const name = textField(scope, raw, 'name', 1024)
  if (name !== undefined) thread.name = name
  const crashed = booleanField(scope, raw, 'crashed')
  if (crashed !== undefined) thread.crashed = crashed
  const current = booleanField(scope, raw, 'current')
  if (current !== undefined) thread.current = current
  const main = booleanField(scope, raw, 'main')
  if (main !== undefined) thread.main = main
  const threadState = textField(scope, raw, 'state', 128)
  if (threadState !== undefined) thread.state = threadState
  const stacktrace = readStacktrace(within(scope, 'stacktrace'), raw.stacktrace, state)
  if (stacktrace) thread.stacktrace = stacktrace
  return thread
}
