/** OpenTelemetry's own SDK as it comes from npm, with both of its exporters, against the built Sonde. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { answersByEndpoint, assertOnlyAccepted, assertOutcomes } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { runProgram } from './support/run-program.ts'
import type { Span, Trace } from './support/trace.ts'

const PROTOCOLS = ['http/json', 'http/protobuf'] as const
let harness: Harness
const traces = new Map<string, string>()

before(async () => {
  harness = await openHarness('node')
  const { sonde, project } = harness
  for (const [at, protocol] of PROTOCOLS.entries()) {
    const run = await runProgram(process.execPath, [join(import.meta.dirname, 'otel', 'shop.ts')], '', {
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${sonde.url}/api/${project.id}/otlp/v1/traces`,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-sentry-auth=sentry sentry_key=${project.publicKey}`,
      ...(at === 1 && { OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip' }),
    })
    assert.equal(run.code, 0, run.stderr)
    traces.set(protocol, (JSON.parse(run.stdout) as { trace: string }).trace)
  }
})
after(() => harness?.close())

for (const protocol of PROTOCOLS)
  test(`a trace sent as ${protocol} is one waterfall with ops, names and what failed`, async () => {
    const path = `/api/0/organizations/acme/trace/${traces.get(protocol)}/`
    const { transactions } = await harness.api.until<Trace>(path, (trace) => trace.transactions.length > 0)
    const [root, ...others] = transactions
    assert.deepEqual(others, [])
    assert.deepEqual(shown(root), [
      'http.server',
      'POST /orders/:id',
      'internal_error',
      'POST /orders/:id',
      true,
    ])
    // They may begin in the same millisecond.
    const children = root?.children.toSorted((a, b) => a.op.localeCompare(b.op)) ?? []
    assert.deepEqual(children.map(shown), [
      ['db', 'INSERT INTO orders VALUES ($1)', '', 'POST /orders/:id', false],
      ['default', 'charge', 'error', 'POST /orders/:id', false],
    ])
    for (const child of children) assert.deepEqual(child.children, [])
  })

const shown = (span: Span | undefined) => [
  span?.op,
  span?.description,
  span?.status,
  span?.transaction,
  span?.is_transaction,
]

test('a recorded exception is an issue, with its frames and its place in the trace', async () => {
  const { api } = harness
  const issues = await api.until<readonly { id: string; title: string; count: string }[]>(
    '/api/0/projects/acme/shop/issues/?query=',
    (list) => list.length === 1 && list[0]?.count === '2',
  )
  assert.match(issues[0]?.title ?? '', /^TypeError/)
  type Latest = {
    readonly contexts: { readonly trace: { readonly trace_id: string } }
    readonly entries: readonly {
      readonly type: string
      readonly data: {
        readonly values?: readonly {
          readonly stacktrace?: { readonly frames: readonly { readonly filename: string }[] }
        }[]
      }
    }[]
  }
  const { body } = await api.get<Latest>(`/api/0/organizations/acme/issues/${issues[0]?.id}/events/latest/`)
  assert.ok([...traces.values()].includes(body.contexts.trace.trace_id))
  const exception = body.entries.find(({ type }) => type === 'exception')?.data.values?.[0]
  assert.match(exception?.stacktrace?.frames.at(-1)?.filename ?? '', /otel\/shop\.ts$/)
})

test('every span is counted as accepted, and the exporters were told nothing but 200', async () => {
  await assertOutcomes(harness, [
    { category: 'error', outcome: 'accepted', reason: '', quantity: 2 },
    { category: 'span', outcome: 'accepted', reason: '', quantity: 6 },
  ])
  await assertOnlyAccepted(harness, 'otlp')
  assert.equal((await answersByEndpoint(harness))['otlp']?.['200'], 2)
})

test('a page of another origin may send the same, as OpenTelemetry in browsers does', async () => {
  const asked = await fetch(`${harness.sonde.url}/api/${harness.project.id}/otlp/v1/traces`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-sentry-auth',
    },
  })
  assert.equal(asked.status, 204)
  assert.match(asked.headers.get('access-control-allow-headers') ?? '', /x-sentry-auth/)
})

test('a trace of 100,000 spans in ten requests is stored whole, and shown as far as a client can take', async () => {
  const trace = 'c'.repeat(32)
  const startNanos = `${Date.now() - 10_000}000000`
  const endNanos = `${Date.now() - 9_000}000000`
  for (let request = 0; request < 10; request++) {
    const spans = Array.from({ length: 10_000 }, (_, at) => ({
      traceId: trace,
      spanId: (request * 10_000 + at + 1).toString(16).padStart(16, '0'),
      ...(request + at > 0 && { parentSpanId: '0000000000000001' }),
      name: 'step',
      startTimeUnixNano: startNanos,
      endTimeUnixNano: endNanos,
    }))
    const answer = await fetch(`${harness.sonde.url}/api/${harness.project.id}/otlp/v1/traces`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-sentry-auth': `sentry sentry_key=${harness.project.publicKey}`,
      },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    })
    assert.deepEqual([answer.status, await answer.text()], [200, '{}'])
  }
  const errors = { category: 'error', outcome: 'accepted', reason: '', quantity: 2 }
  const all = { category: 'span', outcome: 'accepted', reason: '', quantity: 100_006 }
  await assertOutcomes(harness, [errors, all], 180_000)
  const shown = await harness.api.get<Trace & { span_count: number; is_cut: boolean }>(
    `/api/0/organizations/acme/trace/${trace}/`,
  )
  assert.deepEqual([shown.status, shown.body.span_count, shown.body.is_cut], [200, 100_000, true])
  const [root, ...others] = shown.body.transactions
  assert.deepEqual([root?.is_transaction, others], [true, []])
})
