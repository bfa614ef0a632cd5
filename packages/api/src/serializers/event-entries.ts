/** The parts of an event that are shown one below the other: `{type, data}` each, in the order of Sentry's API. */
import type {
  Breadcrumb,
  Exception,
  JsonObject,
  NormalizedEvent,
  RequestInfo,
  Thread,
} from '@sonde/protocol/event'
import { isoDate } from './date.ts'
import { hasSystemFrames, stacktraceJson } from './stacktrace.ts'

export type EventEntry = { readonly type: string; readonly data: unknown }

export function eventEntries(event: NormalizedEvent): readonly EventEntry[] {
  const entries: EventEntry[] = []
  const add = (type: string, data: unknown): void => {
    if (data !== undefined) entries.push({ type, data })
  }
  add('exception', event.exception && exceptionJson(event.exception))
  add('threads', event.threads && { values: event.threads.map((thread) => threadJson(thread)) })
  add('breadcrumbs', event.breadcrumbs && { values: event.breadcrumbs.map((crumb) => breadcrumbJson(crumb)) })
  add('request', event.request && requestJson(event.request))
  add('message', event.logentry && messageJson(event.logentry))
  add('debugmeta', event.debug_meta)
  for (const [name, data] of Object.entries(event.unknown ?? {})) {
    if (SHOWN_AS_ENTRY.has(name)) add(name, data)
  }
  return entries
}

/** Interfaces that are kept as they came; other unknown fields are in the raw JSON only. */
const SHOWN_AS_ENTRY: ReadonlySet<string> = new Set([
  'csp',
  'hpkp',
  'expectct',
  'expectstaple',
  'nel',
  'template',
])

const exceptionJson = (exceptions: readonly Exception[]) => ({
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

const threadJson = (thread: Thread) => ({
  id: thread.id ?? null,
  name: thread.name ?? null,
  crashed: thread.crashed ?? false,
  current: thread.current ?? false,
  main: thread.main ?? null,
  state: thread.state ?? null,
  stacktrace: stacktraceJson(thread.stacktrace),
  rawStacktrace: stacktraceJson(thread.raw_stacktrace),
})

const breadcrumbJson = (crumb: Breadcrumb) => ({
  type: crumb.type,
  category: crumb.category ?? null,
  level: crumb.level,
  message: crumb.message ?? null,
  data: crumb.data ?? null,
  timestamp: crumb.timestamp === undefined ? null : isoDate(crumb.timestamp * 1000),
  event_id: null,
})

const requestJson = (request: RequestInfo) => ({
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

const messageJson = (entry: NonNullable<NormalizedEvent['logentry']>): JsonObject => ({
  formatted: entry.formatted ?? entry.message ?? null,
  message: entry.message ?? null,
  params: entry.params ?? null,
})
