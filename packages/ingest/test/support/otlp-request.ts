/** OTLP trace requests in both encodings, of spans that only say what an endpoint looks at. */

export type SpanIds = { readonly traceId: string; readonly spanId: string; readonly startNanos: bigint }

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
export const GOOD: SpanIds = {
  traceId: TRACE_ID,
  spanId: 'b7ad6b7169203331',
  startNanos: 1_700_000_000_000_000_000n,
}

/** One list of spans per scope, each scope in a resource of its own. */
export function jsonRequest(scopes: readonly (readonly SpanIds[])[]): string {
  const toSpan = ({ traceId, spanId, startNanos }: SpanIds) => ({
    attributes: [
      // What looks like the way to a span, and is none.
      { key: 'spans', value: { stringValue: '{"spans":[{}]} \\" ]' } },
      { key: 'spanId', value: { arrayValue: { values: [{ stringValue: 'traceId' }, { intValue: 0 }] } } },
    ],
    traceId,
    spanId,
    startTimeUnixNano: String(startNanos),
    status: {},
    spans: [{}],
  })
  return JSON.stringify({
    resourceSpans: scopes.map((spans) => ({
      resource: { attributes: [{ key: 'scopeSpans', value: {} }] },
      scopeSpans: [{ scope: { name: 'spans' }, spans: spans.map(toSpan) }],
    })),
  })
}

export function protobufRequest(scopes: readonly (readonly SpanIds[])[]): Buffer {
  return Buffer.concat(
    scopes.map((spans) => {
      const scope = Buffer.concat([
        bytesField(1, bytesField(1, 'scope')),
        ...spans.map((each) => bytesField(2, span(each))),
      ])
      return bytesField(1, Buffer.concat([bytesField(1, Buffer.alloc(0)), bytesField(2, scope)]))
    }),
  )
}

function span({ traceId, spanId, startNanos }: SpanIds): Buffer {
  const start = Buffer.alloc(8)
  start.writeBigUInt64LE(startNanos)
  const kind = Buffer.of((6 << 3) | 0, 2)
  return Buffer.concat([
    bytesField(1, Buffer.from(traceId, 'hex')),
    bytesField(2, Buffer.from(spanId, 'hex')),
    bytesField(5, 'GET /cart/:id'),
    kind,
    Buffer.of((7 << 3) | 1),
    start,
  ])
}

export function bytesField(field: number, value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value)
  const length: number[] = []
  let left = bytes.length
  for (; left >= 128; left >>= 7) length.push((left & 127) | 128)
  return Buffer.concat([Buffer.of((field << 3) | 2, ...length, left), bytes])
}
