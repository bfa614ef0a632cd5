/** Links of a span to spans of other traces, out of the attribute in which OpenTelemetry's are kept. Pure. */
export type SpanLink = { readonly traceId: string; readonly spanId: string | undefined }

// As many as the attribute holds.
const MAX_LINKS = 60

/** What cannot be read is left out: an attribute of that name may be anybody's. */
export function spanLinks(attribute: string | number | undefined): readonly SpanLink[] {
  if (typeof attribute !== 'string') return []
  let told: unknown
  try {
    told = JSON.parse(attribute)
  } catch {
    return []
  }
  if (!Array.isArray(told)) return []
  return told.slice(0, MAX_LINKS).flatMap((each: unknown): SpanLink[] => {
    const { trace_id: trace, span_id: span } = (each ?? {}) as {
      readonly trace_id?: unknown
      readonly span_id?: unknown
    }
    const traceId = hexOf(trace, 32)
    return traceId === undefined ? [] : [{ traceId, spanId: hexOf(span, 16) }]
  })
}

/** Undefined: not so many hex digits, or none but zeros. */
function hexOf(value: unknown, digits: number): string | undefined {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return text.length === digits && /^[0-9a-f]+$/.test(text) && /[^0]/.test(text) ? text : undefined
}
