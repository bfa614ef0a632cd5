/** Trace ids are 32 and span ids 16 lower hex; all zeros mean "none". https://www.w3.org/TR/trace-context/#trace-id */
export function isTraceId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text) && !/^0+$/.test(text)
}

export function isSpanId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text) && !/^0+$/.test(text)
}

/** What a request says about the span that sent it. */
export type TraceParent = {
  readonly traceId: string
  readonly spanId?: string
  /** Absent: the sender left the decision to whoever comes next. */
  readonly sampled?: boolean
}
