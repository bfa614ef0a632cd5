/** Spans of the app's own. */
import type { Data, Span, Tracer } from './tracer.ts'

export type SpanOptions = {
  /** What is done, without ids in it: `price the cart`. */
  readonly name: string
  /** Kind of work: `function`, `db`, …. */
  readonly op?: string
  readonly attributes?: Data
}

/** The span while it runs: `data` takes attributes, `status` one of the protocol's words. */
export type OpenSpan = Pick<Span, 'data' | 'status'>

let tracer: Tracer | undefined
/** Whose callback runs right now; across an `await` nobody can know it. */
let active: Span | undefined

export const enableSpans = (own: Tracer): void => {
  tracer = own
}

/**
 * Runs the callback in a span that ends when it returns or its promise settles; what it throws is passed on. While no
 * page load or navigation is traced, the span is a transaction of its own. Without tracing, the callback just runs.
 */
export function startSpan<T>(options: SpanOptions, callback: (span: OpenSpan) => T): T {
  const { name, op = 'function', attributes } = options
  const nowMs = performance.now()
  const isRoot = tracer && !tracer.root
  if (isRoot) tracer!.start(op, 'manual', nowMs, { name, source: 'custom' })
  const root = tracer?.root
  const data = { ...attributes }
  const span = tracer?.add(op, name, nowMs, data, undefined, 'manual')
  const end = (status: string): void => {
    tracer?.end(span, performance.now(), span?.status ?? status)
    if (isRoot && tracer!.root === root) tracer!.finish('externalFinish')
  }
  const fail = () => end('internal_error')
  const outer = active
  if (span && outer) span.parent_span_id = outer.span_id
  active = span ?? outer
  let result
  try {
    result = callback(span ?? { data })
  } catch (error) {
    fail()
    throw error
  } finally {
    active = outer
  }
  const { then } = (result ?? {}) as PromiseLike<unknown>
  // Not `finally`: the page's promise stays as it is.
  if (then) then.call(result, () => end('ok'), fail)
  else end('ok')
  return result
}
