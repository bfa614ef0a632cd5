import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ProcessingSettings } from '../../src/process/settings-history.ts'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells, spanCountOf } from '../spans/row-cells.ts'
import { RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'
import { type Exported, exportShop } from './exported.ts'

let exported: Exported

const item = (payload: unknown, content_type = 'application/json', more: object = {}) => {
  const input = spanInput({ header: { type: 'otel_traces_data', content_type }, payload: '', ...more })
  const bytes = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload))
  const envelope = { ...input.envelope, sdkClient: undefined }
  return SPAN_STAGES.run({ ...input, payload: bytes, envelope }, new Map())
}
const stored = (...given: Parameters<typeof item>) => {
  const result = item(...given)
  assert.ok(!isDropped(result), JSON.stringify(result))
  return result
}
const keyValue = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const SPAN = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'GET /',
  kind: 2,
  startTimeUnixNano: `${RECEIVED_MS - 2_000}000000`,
  endTimeUnixNano: `${RECEIVED_MS - 1_000}000000`,
}
const request = (spans: readonly object[], resource: readonly object[] = []) => ({
  resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans }] }],
})

describe('otlp item', () => {
  before(async () => {
    exported = await exportShop(RECEIVED_MS - 5_000)
  })

  test('rows are the same from both encodings, with the SDK that made them', () => {
    const json = cells('spans', stored(exported.json))
    assert.deepEqual(cells('spans', stored(exported.protobuf, 'application/x-protobuf')), json)
    const server = json.find(({ is_segment }) => is_segment === '1')
    assert.deepEqual(
      [
        server?.['op'],
        server?.['segment_name'],
        server?.['platform'],
        server?.['sdk_name'],
        server?.['status'],
      ],
      ['http.server', 'GET /cart/:id', 'node', 'opentelemetry', 'internal_error'],
    )
    assert.deepEqual(new Set(json.map(({ segment_name }) => segment_name)), new Set(['GET /cart/:id']))
  })

  test('the resource names release, environment and platform', () => {
    const resource = [
      keyValue('service.name', 'cart'),
      keyValue('service.version', '1.4.2'),
      keyValue('deployment.environment', 'old'),
      keyValue('deployment.environment.name', 'production'),
      keyValue('telemetry.sdk.language', 'dotnet'),
      keyValue('telemetry.sdk.version', '1.9.0'),
    ]
    const [row] = cells('spans', stored(request([SPAN], resource)))
    assert.deepEqual(
      [row?.['release'], row?.['environment'], row?.['platform'], row?.['sdk_version']],
      ['1.4.2', 'production', 'csharp', '1.9.0'],
    )
    assert.match(row?.['strings'] ?? '', /'service.name':'cart'/)
  })

  test('the same body again is known by its id, and no other is', () => {
    const again = stored(exported.protobuf, 'application/x-protobuf').item.eventId
    assert.equal(stored(exported.protobuf, 'application/x-protobuf').item.eventId, again)
    assert.notEqual(stored(exported.json).item.eventId, again)
  })

  test('secrets leave names, attributes, events and what was thrown', () => {
    const events = [
      { name: 'exception', attributes: [keyValue('exception.message', 'bad password=hunter2 given')] },
      { name: 'log', attributes: [keyValue('authorization', 'Bearer topsecret')] },
    ]
    const attributes = [
      keyValue('url.full', 'https://x.example/?token=topsecret'),
      keyValue('password', 'topsecret'),
    ]
    const span = { ...SPAN, name: 'GET /reset?password=hunter2', attributes, events }
    const scrub = { enabled: true, sensitiveFields: [], safeFields: [], scrubIp: true }
    const text = JSON.stringify(cells('spans', stored(request([span]), undefined, { settings: { scrub } })))
    assert.doesNotMatch(text, /hunter2|topsecret/)
    assert.match(text, /exception.message/)
  })

  test('a clock that is hours ahead is set right by the arrival; one that is years behind too', () => {
    for (const offMs of [3 * 3_600_000, -5 * 365 * 86_400_000]) {
      const startTimeUnixNano = `${RECEIVED_MS + offMs}000000`
      const endTimeUnixNano = `${RECEIVED_MS + offMs + 1_000}000000`
      const [row] = cells('spans', stored(request([{ ...SPAN, startTimeUnixNano, endTimeUnixNano }])))
      assert.equal(row?.['timestamp'], `${RECEIVED_MS / 1000 - 1}.000000`)
      assert.equal(row['duration_ms'], '1000')
    }
  })

  test('a release that the project does not want goes, and the other services of the request stay', () => {
    const service = (version: string, digit: string) => {
      const { resourceSpans } = request(
        [{ ...SPAN, spanId: digit.repeat(16) }],
        [keyValue('service.version', version)],
      )
      return resourceSpans
    }
    const filters = {
      localhost: false,
      browserExtensions: false,
      crawlers: false,
      releases: ['bad@*'],
      messages: [],
    } as unknown as ProcessingSettings['filters']
    const both = {
      resourceSpans: [...service('bad@1', '1'), ...service('good@1', '2'), ...service('bad@1', '3')],
    }
    const processed = stored(both, undefined, { settings: { filters } })
    assert.deepEqual(
      cells('spans', processed).map(({ release }) => release),
      ['good@1'],
    )
    assert.deepEqual([spanCountOf(processed), processed.filtered], [1, [{ reason: 'release', spans: 2 }]])
    const result = item({ resourceSpans: service('bad@2', '1') }, undefined, { settings: { filters } })
    assert.ok(isDropped(result))
    assert.equal(result.dropped.outcome, 'filtered')
  })

  test('what is no request ends with a reason, and so does one without a span that can be read', () => {
    const reasonOf = (...given: Parameters<typeof item>) => {
      const result = item(...given)
      assert.ok(isDropped(result))
      return `${result.dropped.outcome}:${result.dropped.reason}`
    }
    assert.equal(reasonOf(Buffer.from('{"resourceSpans":')), 'invalid:bad_otlp')
    assert.equal(reasonOf([1]), 'invalid:bad_otlp')
    assert.equal(reasonOf({ resourceLogs: [] }), 'invalid:bad_otlp')
    assert.equal(reasonOf(exported.protobuf.subarray(0, 50), 'application/x-protobuf'), 'invalid:bad_otlp')
    assert.equal(reasonOf(request([{ name: 'no ids' }])), 'invalid:bad_span')
  })
})
