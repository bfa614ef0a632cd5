/**
 * What the example shop has no programs for: a chat with an agent behind a page, over three more services, with a database, a
 * cache, a queue and a host outside. Sent as OpenTelemetry would, through the door of the API's project, over the last day.
 */
import { randomBytes } from 'node:crypto'

const CONVERSATIONS = 40
const DAY_MS = 86_400_000

type Attributes = Readonly<Record<string, string | number>>
type SpanIn = {
  readonly parent?: string
  readonly kind?: number
  readonly name: string
  readonly at: number
  readonly took: number
  readonly failed?: boolean
  readonly attributes?: Attributes
}
type ServiceSpans = { readonly service: string; readonly spans: object[] }

const id = (bytes: number): string => randomBytes(bytes).toString('hex')
const [SERVER, CLIENT, PRODUCER, CONSUMER] = [2, 3, 4, 5] as const

/** What a service answered: measured, with the trace that was running. */
export type Answered = {
  readonly traceId: string
  readonly spanId: string
  readonly atMs: number
  readonly ms: number
}

/** Returns the answers of the assistant, a few for each conversation. */
export async function sendServices(dsn: string): Promise<readonly Answered[]> {
  const sent: Sent[] = []
  const answered: Answered[] = []
  for (let at = 0; at < CONVERSATIONS; at++) {
    const startMs = Date.now() - DAY_MS * (1 - (at + 0.5) / CONVERSATIONS)
    for (let turn = 0; turn < 1 + (at % 3); turn++) {
      const { resourceSpans, message, answer } = turnOf(at, turn, startMs + turn * 20_000)
      await postOtlp(dsn, 'traces', { resourceSpans })
      sent.push(message)
      answered.push(answer)
    }
    if (sent.length >= DIGEST)
      await postOtlp(dsn, 'traces', { resourceSpans: digestOf(sent.splice(0), startMs + 300_000) })
  }
  return answered
}

/** Where an exporter sends, and with which headers. */
export function otlpDoor(dsn: string, signal: 'traces' | 'metrics') {
  const { protocol, host, username, pathname } = new URL(dsn)
  return {
    url: `${protocol}//${host}/api${pathname}/integration/otlp/v1/${signal}`,
    headers: { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${username}` },
  }
}

export async function postOtlp(dsn: string, signal: 'traces' | 'metrics', body: object): Promise<void> {
  const { url, headers } = otlpDoor(dsn, signal)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`Sonde did not take ${signal}: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

/** A message in the queue: the span that sent it. */
type Sent = { readonly traceId: string; readonly spanId: string; readonly at: number }
/** So many messages are one mail to the people of the shop: a trace of its own that links to each of theirs. */
const DIGEST = 8

function digestOf(messages: readonly Sent[], atMs: number): object[] {
  const links = messages.map(({ traceId, spanId, at }) => ({
    traceId,
    spanId,
    flags: 0x301,
    attributes: [
      { key: 'messaging.message.id', value: { stringValue: `follow-up-${Math.round(at / 1000)}` } },
    ],
  }))
  const span = {
    traceId: id(16),
    spanId: id(8),
    kind: CONSUMER,
    name: 'process follow-ups',
    startTimeUnixNano: nano(Math.min(atMs, Date.now() - 5_000)),
    endTimeUnixNano: nano(Math.min(atMs, Date.now() - 5_000) + 640),
    status: { code: 1 },
    links,
    attributes: Object.entries({
      'messaging.system': 'nats',
      'messaging.destination.name': 'follow-ups',
      'messaging.operation.type': 'process',
    }).map(([key, value]) => ({ key, value: { stringValue: value } })),
  }
  return [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'digest' } }] },
      scopeSpans: [{ spans: [span] }],
    },
  ]
}

function turnOf(
  conversation: number,
  turn: number,
  startMs: number,
): { readonly resourceSpans: object[]; readonly message: Sent; readonly answer: Answered } {
  const traceId = id(16)
  const services = new Map<string, ServiceSpans>()
  const add = (service: string, { parent = '', kind = 1, attributes = {}, ...span }: SpanIn): string => {
    const spanId = id(8)
    const known = services.get(service) ?? { service, spans: [] }
    services.set(service, known)
    known.spans.push({
      traceId,
      spanId,
      ...(parent !== '' && { parentSpanId: parent }),
      kind,
      name: span.name,
      startTimeUnixNano: nano(startMs + span.at),
      endTimeUnixNano: nano(startMs + span.at + span.took),
      status: span.failed ? { code: 2 } : { code: 1 },
      attributes: Object.entries(attributes).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
      })),
    })
    return spanId
  }
  const db = { 'db.system.name': 'postgresql', 'db.namespace': 'shop' }
  const isFailing = conversation % 9 === 4
  const chat = add('assistant', {
    kind: SERVER,
    name: 'POST /chat',
    at: 0,
    took: 2400,
    attributes: http('POST'),
  })
  const talk = { 'gen_ai.conversation.id': `chat-${conversation + 1}`, 'gen_ai.agent.name': 'Shop clerk' }
  const agent = add('assistant', {
    parent: chat,
    name: 'invoke_agent Shop clerk',
    at: 20,
    took: 2300,
    attributes: { ...talk, 'gen_ai.operation.name': 'invoke_agent' },
  })
  const model = (at: number, took: number, said: string): string =>
    add('assistant', {
      parent: agent,
      kind: CLIENT,
      name: 'chat small-3',
      at,
      took,
      attributes: {
        ...talk,
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'example',
        'gen_ai.request.model': conversation % 4 === 0 ? 'large-1' : 'small-3',
        'gen_ai.usage.input_tokens': 900 + turn * 400,
        'gen_ai.usage.cache_read.input_tokens': turn * 400,
        'gen_ai.usage.output_tokens': 120,
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: 'Is the Sand cup in stock?' }]),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', content: said }]),
        'server.address': 'models.example',
      },
    })
  model(40, 700, 'Let me look.')
  const tool = add('assistant', {
    parent: agent,
    name: 'execute_tool stock',
    at: 760,
    took: 620,
    failed: isFailing,
    attributes: {
      ...talk,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'stock',
      'gen_ai.tool.call.arguments': '{"product":"Sand cup"}',
      'gen_ai.tool.call.result': isFailing ? 'stock is not reachable' : '{"inStock":7}',
    },
  })
  const call = add('assistant', {
    parent: tool,
    kind: CLIENT,
    name: 'GET',
    at: 770,
    took: 600,
    failed: isFailing,
    attributes: {
      ...http('GET'),
      'server.address': 'stock.internal',
      'url.full': 'http://stock.internal/items',
    },
  })
  const stock = add('stock', {
    parent: call,
    kind: SERVER,
    name: 'GET /items',
    at: 790,
    took: 570,
    failed: isFailing,
    attributes: { ...http('GET'), 'http.route': '/items' },
  })
  for (let row = 0; row < 9; row++)
    add('stock', {
      parent: stock,
      kind: CLIENT,
      name: 'SELECT shop.stock',
      at: 800 + row * 55,
      took: 45,
      attributes: { ...db, 'db.query.text': `SELECT amount FROM stock WHERE item_id = ${row + 1}` },
    })
  add('stock', {
    parent: stock,
    kind: CLIENT,
    name: 'GET',
    at: 1300,
    took: 4,
    attributes: { 'db.system.name': 'redis' },
  })
  model(1400, 800, isFailing ? 'I cannot look that up now.' : 'Yes, seven.')
  const queue = { 'messaging.system': 'nats', 'messaging.destination.name': 'follow-ups' }
  const sent = add('assistant', {
    parent: chat,
    kind: PRODUCER,
    name: 'send follow-ups',
    at: 2310,
    took: 5,
    attributes: { ...queue, 'messaging.operation.type': 'send' },
  })
  const taken = add('mailer', {
    parent: sent,
    kind: CONSUMER,
    name: 'process follow-ups',
    at: 2700,
    took: 300,
    attributes: { ...queue, 'messaging.operation.type': 'process' },
  })
  add('mailer', {
    parent: taken,
    kind: CLIENT,
    name: 'POST',
    at: 2720,
    took: 260,
    attributes: {
      ...http('POST'),
      'server.address': 'mail.example',
      'url.full': 'https://mail.example/send',
    },
  })
  const resourceSpans = [...services.values()].map(({ service, spans }) => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [{ spans }],
  }))
  const message = { traceId, spanId: sent, at: startMs + 2310 }
  return { resourceSpans, message, answer: { traceId, spanId: chat, atMs: startMs + 2400, ms: 2400 } }
}

const http = (method: string): Attributes => ({ 'http.request.method': method })
const nano = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`
