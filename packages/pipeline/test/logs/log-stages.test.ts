import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LOG_STAGES } from '../../src/logs/log-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from '../spans/row-cells.ts'
import { RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'

const CONTAINER = { type: 'log', content_type: 'application/vnd.sentry.items.log+json' }
const run = (payload: unknown, header: object = CONTAINER) => {
  const input = spanInput({ header: { type: 'log', ...header }, payload: '' })
  const bytes = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload))
  return LOG_STAGES.run({ ...input, payload: bytes }, new Map())
}
const stored = (...given: Parameters<typeof run>) => {
  const result = run(...given)
  assert.ok(!isDropped(result), JSON.stringify(result))
  return result
}
const AT = RECEIVED_MS / 1000 - 5
const LINE = {
  timestamp: AT,
  trace_id: 'a'.repeat(32),
  span_id: 'b'.repeat(16),
  level: 'warn',
  body: 'price of B-17 is missing',
  attributes: {
    'sentry.release': { type: 'string', value: 'shop@1.4.2' },
    'sentry.message.template': { type: 'string', value: 'price of {sku} is missing' },
    'sentry.message.parameter.sku': { type: 'string', value: 'B-17' },
    'sentry.timestamp.sequence': { type: 'integer', value: 7 },
    'order.id': { type: 'integer', value: '9223372036854775807' },
    'price.known': { type: 'boolean', value: false },
    price: { type: 'double', value: 0.5 },
  },
}
const outcomesOf = (result: ReturnType<typeof stored>) =>
  result.outcomes.map(({ outcome, reason, quantity }) => [outcome, reason, quantity])

describe('a container of logs', () => {
  test('each line is a row with its trace, severity, text and typed attributes', () => {
    const result = stored({ items: [LINE] })
    const [row] = cells('logs', result)
    assert.deepEqual(
      [row?.['severity'], row?.['severity_number'], row?.['body'], row?.['trace_id'], row?.['span_id']],
      ['warn', '13', 'price of B-17 is missing', 'a'.repeat(32), 'b'.repeat(16)],
    )
    assert.deepEqual([row?.['release'], row?.['sequence'], row?.['sample_rate']], ['shop@1.4.2', '7', '1'])
    const strings = row?.['strings'] ?? ''
    assert.match(strings, /'order.id':'9223372036854775807'/, 'no digit of a 64-bit number is lost')
    assert.match(strings, /'sentry.message.template':'price of \{sku\} is missing'/)
    assert.match(strings, /'price.known':'false'/)
    assert.match(row?.['numbers'] ?? '', /'price':0.5/)
    assert.deepEqual(outcomesOf(result), [])
    assert.deepEqual(result.item.releases, ['shop@1.4.2'])
  })

  test('lines and their bytes are counted apart', () => {
    const { counts } = stored({
      items: [{ ...LINE, body: 'grün', attributes: { a: { type: 'string', value: 'bc' } } }],
    }).item
    assert.deepEqual(counts, [
      { category: 'log_item', quantity: 1 },
      { category: 'log_byte', quantity: 8 },
    ])
  })

  test('what is no line is counted as such, and those beside it are kept', () => {
    const result = stored({ items: [LINE, null, 'text', { body: 'no time' }, { timestamp: AT }] })
    assert.equal(cells('logs', result).length, 1)
    assert.deepEqual(outcomesOf(result), [['invalid', 'bad_payload', 4]])
    const dropped = run({ items: [{}] })
    assert.ok(isDropped(dropped))
    assert.equal(dropped.dropped.reason, 'bad_payload')
  })

  test('secrets go out of text and attributes', () => {
    const attributes = { password: { type: 'string', value: 'hunter2' } }
    const [row] = cells(
      'logs',
      stored({ items: [{ ...LINE, body: 'paid with 4111 1111 1111 1111', attributes }] }),
    )
    assert.doesNotMatch(JSON.stringify(row), /4111 1111|hunter2/)
  })

  test('severities of other loggers are among the six; a word nobody knows stays', () => {
    const levels = ['warning', 'CRITICAL', 'notice', 'chatty', undefined]
    const rows = cells('logs', stored({ items: levels.map((level) => ({ ...LINE, level })) }))
    assert.deepEqual(
      rows.map(({ severity }) => severity),
      ['warn', 'fatal', 'info', 'chatty', 'info'],
    )
  })

  test('a clock of another year is set by when the item came', () => {
    const [row] = cells('logs', stored({ items: [{ ...LINE, timestamp: 86_400 }] }))
    assert.equal(Math.round(Number(row?.['timestamp']) * 1000), RECEIVED_MS)
  })
})

describe('hostile containers', () => {
  test('100,000 lines: the first 10,000 are kept, the rest is counted as too many', () => {
    const result = stored({
      items: Array.from({ length: 100_000 }, () => ({ timestamp: AT, body: 'again' })),
    })
    assert.equal(result.item.counts[0]?.quantity, 10_000)
    assert.deepEqual(outcomesOf(result), [['invalid', 'too_many_items', 90_000]])
  })

  test('a text of 12 MiB is cut, and the line says so', () => {
    const [row] = cells('logs', stored({ items: [{ ...LINE, body: 'x'.repeat(12 * 1024 * 1024) }] }))
    assert.ok((row?.['body'] ?? '').length <= 32_768)
    assert.match(row?.['strings'] ?? '', /'sonde.remark':'body_cut'/)
  })

  test('attributes that nest without end, and more than a line may have, are bounded', () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const attributes = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`k${at}`, { type: 'string', value: 'v' }]),
    )
    const text = JSON.stringify({ items: [{ ...LINE, attributes }] }).replace('"v"', nested)
    const [row] = cells('logs', stored(Buffer.from(text)))
    assert.match(row?.['strings'] ?? '', /attributes_cut/)
    assert.ok((row?.['strings'] ?? '').length < 10_000)
  })
})

describe('logs from OpenTelemetry', () => {
  const OTLP = { type: 'otel_logs_data', content_type: 'application/json' }
  const record = {
    timeUnixNano: `${RECEIVED_MS - 1_000}000000`,
    severityNumber: 18,
    severityText: 'ERROR2',
    body: { stringValue: 'card declined' },
    attributes: [{ key: 'order.id', value: { intValue: '9223372036854775807' } }],
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
  }
  const request = (logRecords: readonly unknown[]) => ({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.version', value: { stringValue: '2.0' } }] },
        scopeLogs: [{ scope: { name: 'shop' }, logRecords }],
      },
    ],
  })

  test('a record becomes a line with what its resource and scope say', () => {
    const [row] = cells('logs', stored(request([record]), OTLP))
    assert.deepEqual(
      [row?.['severity'], row?.['severity_number'], row?.['body'], row?.['release'], row?.['trace_id']],
      ['error', '18', 'card declined', '2.0', 'a'.repeat(32)],
    )
    assert.match(row?.['strings'] ?? '', /'order.id':'9223372036854775807'/)
    assert.match(row?.['strings'] ?? '', /'otel.scope.name':'shop'/)
  })

  test('without a time it is of when it came, a body of any shape is JSON', () => {
    const body = { kvlistValue: { values: [{ key: 'a', value: { intValue: 1 } }] } }
    const [row] = cells('logs', stored(request([{ body }, null]), OTLP))
    assert.equal(row?.['body'], '{"a":1}')
    assert.equal(Math.round(Number(row?.['timestamp']) * 1000), RECEIVED_MS)
  })

  test('what is no request is refused', () => {
    const result = run({ items: [] }, OTLP)
    assert.ok(isDropped(result))
    assert.equal(result.dropped.reason, 'bad_otlp')
  })
})
