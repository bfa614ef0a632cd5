/** A receiver of OTLP in JSON that keeps the spans, for what Sonde traces of itself. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedSpan = {
  readonly role: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}

type Attribute = { readonly key: string; readonly value: { readonly stringValue?: string } }
type Traces = {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'role'>[] }[]
  }[]
}

export async function startReceiver() {
  const spans: ReceivedSpan[] = []
  const server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk: Buffer) => (text += chunk.toString()))
    req.on('end', () => {
      for (const { resource, scopeSpans } of (JSON.parse(text) as Traces).resourceSpans ?? []) {
        const role = resource.attributes.find(({ key }) => key === 'sonde.role')?.value.stringValue ?? ''
        for (const { spans: own } of scopeSpans) spans.push(...own.map((span) => ({ ...span, role })))
      }
      res.end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const of = (role: string, name: string) => spans.filter((span) => span.role === role && span.name === name)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    find: (role: string, name: string): ReceivedSpan | undefined => of(role, name)[0],
    childOf: (parent: ReceivedSpan, role: string, name: string): ReceivedSpan | undefined =>
      of(role, name).find((span) => span.traceId === parent.traceId && span.parentSpanId === parent.spanId),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
