/** Envelopes as a server got them, read with the parser of the server. */
import type { IncomingMessage } from 'node:http'
import { type EnvelopeHeader, type ItemHeader, parseEnvelope } from '@sonde/protocol'

// oxlint-disable-next-line typescript/no-explicit-any -- any JSON: a test reads what it expects to be there
export type Payload = any

export type RecordedItem = { readonly header: ItemHeader; readonly payload: Payload }

export type Recorded = {
  readonly header: EnvelopeHeader
  readonly items: readonly RecordedItem[]
  /** `/monitoring` or `/api/42/envelope/`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export function readRecorded(req: IncomingMessage, body: Buffer): Recorded {
  const url = new URL(req.url ?? '/', 'http://site')
  const envelope = parseEnvelope(body)
  return {
    header: envelope.header,
    items: envelope.items.map(({ header, payload }) => ({
      header,
      payload: JSON.parse(Buffer.from(payload).toString('utf8')),
    })),
    path: url.pathname,
    query: url.searchParams,
    headers: req.headers,
    body: body.toString('utf8'),
  }
}
