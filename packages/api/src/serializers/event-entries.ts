/** The parts of an event that are shown one below the other: `{type, data}` each, in the order of Sentry's API. */
import type {
  Breadcrumb,
  Exception,
  Frame,
  NormalizedEvent,
  RequestInfo,
  Stacktrace,
  Thread,
} from '@sonde/protocol/event'
import { isoDate } from './date.ts'
import {
  type BreadcrumbJson,
  type EventEntryJson,
  type ExceptionJson,
  type MessageJson,
  OPEN_ENTRIES,
  type RequestJson,
  type StacktraceJson,
  type ThreadJson,
} from './event-entry-schemas.ts'

/** Stack traces in Sentry's public shape: camelCase, source context as numbered lines. */
const stacktraceJson = (stack: Stacktrace | undefined): StacktraceJson | null =>
  stack === undefined
    ? null
    : {
        frames: stack.frames.map((frame) => frameJson(frame)),
        framesOmitted: stack.frames_omitted ?? null,
        registers: stack.registers ?? null,
        hasSystemFrames: hasSystemFrames(stack),
      }

/** Whether "in app only" would hide something and leave something. */
const hasSystemFrames = (stack: Stacktrace | undefined): boolean =>
  stack !== undefined &&
  stack.frames.some((frame) => frame.in_app) &&
  stack.frames.some((frame) => !frame.in_app)

const frameJson = (frame: Frame) => ({
  filename: frame.filename ?? null,
  absPath: frame.abs_path ?? null,
  module: frame.module ?? null,
  package: frame.package ?? null,
  platform: frame.platform ?? null,
  instructionAddr: frame.instruction_addr ?? null,
  symbolAddr: frame.symbol_addr ?? null,
  function: frame.function ?? null,
  rawFunction: frame.raw_function ?? null,
  symbol: null,
  context: contextLines(frame),
  lineNo: frame.lineno ?? null,
  colNo: frame.colno ?? null,
  inApp: frame.in_app,
  trust: frame.data?.['trust'] ?? null,
  errors: null,
  lock: null,
  sourceLink: null,
  vars: frame.vars ?? null,
  data: frame.data ?? null,
})

/** `[[17, "def f():"], [18, "  raise"], …]`; without a line number the lines cannot be numbered, so there are none. */
function contextLines(frame: Frame): readonly (readonly [number, string])[] {
  if (frame.lineno === undefined || frame.context_line === undefined) return []
  const before = frame.pre_context ?? []
  const first = frame.lineno - before.length
  return [...before, frame.context_line, ...(frame.post_context ?? [])].map(
    (line, index) => [first + index, line] as const,
  )
}

export function eventEntries(event: NormalizedEvent): readonly EventEntryJson[] {
  const { exception, threads, breadcrumbs, request, logentry, unknown = {}, debug_meta: debugmeta } = event
  const sent: Readonly<Record<string, unknown>> = { ...unknown, debugmeta }
  return [
    exception && { type: 'exception' as const, data: exceptionJson(exception) },
    threads && {
      type: 'threads' as const,
      data: { values: threads.map((thread) => threadJson(thread)) },
    },
    breadcrumbs && {
      type: 'breadcrumbs' as const,
      data: { values: breadcrumbs.map((crumb) => breadcrumbJson(crumb)) },
    },
    request && { type: 'request' as const, data: requestJson(request) },
    logentry && { type: 'message' as const, data: messageJson(logentry) },
    ...OPEN_ENTRIES.filter((type) => sent[type] !== undefined).map((type) => ({ type, data: sent[type] })),
  ].filter((entry) => entry !== undefined)
}

const exceptionJson = (exceptions: readonly Exception[]): ExceptionJson => ({
  values: exceptions.map((exception) => ({
    type: exception.type ?? null,
    value: exception.value ?? null,
    module: exception.module ?? null,
    threadId: exception.thread_id ?? null,
    mechanism: exception.mechanism ?? null,
    stacktrace: stacktraceJson(exception.stacktrace),
    rawStacktrace: stacktraceJson(exception.raw_stacktrace),
  })),
  hasSystemFrames: exceptions.some((exception) => hasSystemFrames(exception.stacktrace)),
  excOmitted: null,
})

const threadJson = (thread: Thread): ThreadJson => ({
  id: thread.id ?? null,
  name: thread.name ?? null,
  crashed: thread.crashed ?? false,
  current: thread.current ?? false,
  main: thread.main ?? null,
  state: thread.state ?? null,
  stacktrace: stacktraceJson(thread.stacktrace),
  rawStacktrace: stacktraceJson(thread.raw_stacktrace),
})

const breadcrumbJson = (crumb: Breadcrumb): BreadcrumbJson => ({
  type: crumb.type,
  category: crumb.category ?? null,
  level: crumb.level,
  message: crumb.message ?? null,
  data: crumb.data ?? null,
  timestamp: crumb.timestamp === undefined ? null : isoDate(crumb.timestamp * 1000),
  event_id: null,
})

const requestJson = (request: RequestInfo): RequestJson => ({
  url: request.url ?? null,
  method: request.method ?? null,
  query: request.query_string ?? [],
  fragment: request.fragment ?? null,
  headers: request.headers ?? [],
  cookies: request.cookies ?? [],
  data: request.data ?? null,
  env: request.env ?? null,
  inferredContentType: request.inferred_content_type ?? null,
  apiTarget: request.api_target ?? null,
})

const messageJson = (entry: NonNullable<NormalizedEvent['logentry']>): MessageJson => ({
  formatted: entry.formatted ?? entry.message ?? null,
  message: entry.message ?? null,
  params: entry.params ?? null,
})
