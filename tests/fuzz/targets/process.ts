/**
 * The pipeline's pure part: an admitted envelope becomes rows and outcomes. Nothing of it may be a dead letter, each item
 * has an end, and the same bytes give the same twice.
 */
import assert from 'node:assert/strict'
import { encodeIntakeRecord } from '@sonde/log'
import { DEFAULT_PROCESSING_SETTINGS } from '@sonde/pipeline'
import { EnvelopeError, parseEnvelope } from '@sonde/protocol'
import { processRecord } from '../../../packages/pipeline/src/process/process-record.ts'
import type { ProcessedRecord } from '../../../packages/pipeline/src/process/processed.ts'
import type { Target } from '../engine/target.ts'
import { envelopeAround, mutateEnvelope } from '../mutators/envelope.ts'
import { fixturesIn } from './fixtures.ts'

const RECEIVED_MS = Date.UTC(2026, 10, 22)
const SEED_BYTES = 24_576

export const processing: Target = {
  name: 'process',
  seeds: () => [
    ...fixturesIn('spotlight-envelopes', SEED_BYTES),
    ...fixturesIn('sentry-cli', SEED_BYTES, '.envelope'),
    ...[
      'bugsink-event-samples',
      'glitchtip/incoming_events',
      'relay/event_payloads',
      'sentry-event-samples',
      'sentry-grouping/inputs',
      'sentry-go/json',
    ].flatMap((folder) => fixturesIn(folder, SEED_BYTES, '.json').map(eventEnvelope)),
    ...fixturesIn('relay/security_report', SEED_BYTES, '.input.json').map((report) =>
      envelopeAround({}, report, { type: 'raw_security', content_type: 'application/csp-report' }),
    ),
    eventEnvelope(Buffer.from(JSON.stringify(NOISE))),
    ...[SPAN_V2, METRICS, LOGS, REPORT, SESSION, SESSIONS, CHECK_IN].map(({ item, payload }) =>
      envelopeAround({ trace: TRACE }, Buffer.from(JSON.stringify(payload)), item),
    ),
    envelopeAround({}, Buffer.from(JSON.stringify(OTLP)), {
      type: 'otel_traces_data',
      content_type: 'application/json',
    }),
  ],
  mutate: mutateEnvelope,
  words: [
    '"exception":',
    '"stacktrace":',
    '"frames":',
    '"breadcrumbs":',
    '"{{ default }}"',
    '"user":',
    '"spans":',
    '"aggregates":',
    'chrome-extension://',
    'webkit-masked-url://',
    'Failed to fetch',
    'offline',
    'Googlebot',
    '"started":',
  ],
  open: () => ({ run }),
}

const TRACE = {
  trace_id: 'a'.repeat(32),
  public_key: 'b'.repeat(32),
  sample_rate: '0.25',
  release: 'shop@1.2.3',
}
const NOISE = {
  platform: 'javascript',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'Failed to fetch (www.google-analytics.com)',
        stacktrace: { frames: [{ abs_path: 'https://shop.example/a.js' }, { abs_path: '<anonymous>' }] },
      },
    ],
  },
  request: { url: 'https://shop.example/', headers: { 'User-Agent': 'Mozilla/5.0 Instagram 350.0' } },
  tags: { online: 'false' },
  breadcrumbs: [{ category: 'connectivity', data: { state: 'offline' } }],
}
const IDS = { trace_id: 'a'.repeat(32), span_id: 'c'.repeat(16) }
const STARTS = RECEIVED_MS / 1000 - 10
const LOGS = {
  item: { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' },
  payload: {
    items: [
      {
        ...IDS,
        timestamp: RECEIVED_MS / 1000 - 10,
        level: 'warn',
        body: 'price of B-17 is missing',
        attributes: {
          'sentry.message.template': { type: 'string', value: 'price of {} is missing' },
          'order.id': { type: 'integer', value: '9223372036854775807' },
        },
      },
    ],
  },
}
const SPAN_V2 = {
  item: { type: 'span', item_count: 2, content_type: 'application/vnd.sentry.items.span.v2+json' },
  payload: {
    items: [
      {
        ...IDS,
        name: 'GET /cart/:id',
        status: 'ok',
        is_segment: true,
        start_timestamp: STARTS,
        end_timestamp: STARTS + 0.5,
        attributes: {
          'sentry.op': { type: 'string', value: 'pageload' },
          'http.status_code': { type: 'integer', value: 200 },
          'browser.web_vital.lcp.value': { type: 'double', value: 1234.5 },
        },
      },
    ],
  },
}
const METRICS = {
  item: {
    type: 'trace_metric',
    item_count: 1,
    content_type: 'application/vnd.sentry.items.trace-metric+json',
  },
  payload: {
    items: [
      {
        ...IDS,
        name: 'browser.web_vital.inp.value',
        type: 'distribution',
        unit: 'millisecond',
        value: 120,
        timestamp: STARTS,
        attributes: { 'sentry.release': { type: 'string', value: 'shop@1.2.3' } },
      },
    ],
  },
}
/** Right before they are received. */
const STARTED = new Date(RECEIVED_MS - 60_000).toISOString()
const ATTRS = { release: 'shop@1.2.3', environment: 'production', user_agent: 'Mozilla/5.0' }
const SESSION = {
  item: { type: 'session' },
  payload: {
    sid: 'c'.repeat(32),
    init: true,
    started: STARTED,
    timestamp: STARTED,
    status: 'exited',
    errors: 1,
    did: '42',
    seq: 3,
    duration: 1.5,
    attrs: ATTRS,
  },
}
const SESSIONS = {
  item: { type: 'sessions' },
  payload: {
    aggregates: [
      { started: STARTED, exited: 7, errored: 1, crashed: 1 },
      { started: STARTED, did: 'ada', abnormal: 1, unhandled: 2 },
    ],
    attrs: ATTRS,
  },
}
const CHECK_IN = {
  item: { type: 'check_in' },
  payload: {
    check_in_id: 'd'.repeat(32),
    monitor_slug: 'nightly-import',
    status: 'in_progress',
    duration: 1.5,
    environment: 'production',
    contexts: { trace: { trace_id: 'e'.repeat(32) } },
    monitor_config: {
      schedule: { type: 'crontab', value: '0 3 * * *' },
      timezone: 'Europe/Berlin',
      checkin_margin: 5,
    },
  },
}
const REPORT = {
  item: { type: 'client_report' },
  payload: {
    timestamp: STARTS,
    discarded_events: [{ reason: 'queue_overflow', category: 'error', quantity: 3 }],
  },
}
const OTLP = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'cart' } }] },
      scopeSpans: [
        {
          spans: [
            { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), startTimeUnixNano: `${STARTS}000000000` },
          ],
        },
      ],
    },
  ],
}

/** The type that the event says of itself; tests of upstream's grouping have keys of their own, which are kept. */
function eventEnvelope(json: Buffer): Buffer {
  const isTransaction = json.includes('"type":"transaction"') || json.includes('"type": "transaction"')
  return envelopeAround({ event_id: 'f'.repeat(32) }, json, { type: isTransaction ? 'transaction' : 'event' })
}

function run(input: Buffer): void {
  let items
  try {
    items = parseEnvelope(input, { maxItems: 1_000 }).items
  } catch (error) {
    if (error instanceof EnvelopeError) return
    throw error
  }
  const processed = processBody(input)
  checkProcessed(processed)
  const { events, rows, attachments, outcomes } = processed
  const ends = events.length + rows.length + attachments.length + outcomes.length
  assert.ok(ends >= items.length, `${items.length} items have ${ends} ends`)
  // Digested again after a crash, it must be known as the same.
  if (input.length % 8 === 0) assert.deepEqual(processBody(input), processed)
}

/** As the log would hand it to the pipeline. */
export function processBody(body: Uint8Array): ProcessedRecord {
  const meta = {
    v: 1,
    kind: 'envelope',
    receivedMs: RECEIVED_MS,
    projectId: 42,
    keyId: 1,
    clientIp: '203.0.113.9',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    client: 'sentry.javascript.browser/10.0.0',
  } as const
  const bytes = encodeIntakeRecord(meta, body)
  return processRecord({ position: 100, next: 101, bytes }, DEFAULT_PROCESSING_SETTINGS)
}

/** Throws for a dead letter, for a row that cannot be stored, and for counts that cannot be added. */
export function checkProcessed({ events, outcomes, dead }: ProcessedRecord): void {
  const [first] = dead
  assert.equal(first, undefined, `dead letter ${first?.reason} of ${first?.itemType}: ${first?.detail}`)
  for (const { eventId, hashes, issue } of events) {
    assert.match(eventId, /^[0-9a-f]{32}$/)
    assert.ok(hashes.length > 0 && hashes.every((hash) => /^[0-9a-f]{32}$/.test(hash)), 'a hash is none')
    assert.ok(Number.isSafeInteger(issue.timestampMs), `an issue was seen at ${issue.timestampMs}`)
  }
  for (const { category, outcome, reason, quantity } of outcomes)
    assert.ok(
      Number.isSafeInteger(quantity) && quantity > 0 && category !== '' && outcome !== '',
      `an outcome of ${quantity}: ${category} ${outcome} ${reason}`,
    )
}
