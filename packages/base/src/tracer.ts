/** Spans of Sonde's own work. Whoever makes one gets none where nothing is traced: then it costs a question. */
import { currentScope, inScope, type SpanContext } from './scope.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'
export type SpanValue = string | number | boolean

export type SpanStart = {
  /** As OpenTelemetry names them, where it does: few different ones. */
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes?: Readonly<Record<string, SpanValue>>
}

export type OpenSpan = {
  readonly context: SpanContext
  set(attributes: Readonly<Record<string, SpanValue>>): void
  /** Once. With what went wrong: its kind alone, since messages may say what is a person's. */
  end(failure?: unknown): void
}

export type Tracer = {
  /** Part of what is traced now; undefined: that is not. */
  child(start: SpanStart): OpenSpan | undefined
  /** The beginning of a trace, when the sample has it. `parent`: it goes on elsewhere's, which was sampled. */
  root(
    start: SpanStart,
    of?: { readonly traceId?: string; readonly parent?: SpanContext },
  ): OpenSpan | undefined
}

export const noTracer: Tracer = { child: () => undefined, root: () => undefined }

/** Runs `work` within the span, which ends as it does. */
export async function inSpan<T>(span: OpenSpan | undefined, work: () => Promise<T>): Promise<T> {
  if (!span) return work()
  try {
    const result = await inScope({ ...currentScope(), span: span.context }, work)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
