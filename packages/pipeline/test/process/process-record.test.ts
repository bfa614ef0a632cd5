/** Any record digests to something, and every item of it ends exactly once (guarantee G3). */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { encodeIntakeRecord, type EnvelopeMeta } from '@sonde/log'
import {
  createEnvelope,
  type EnvelopeHeader,
  parseEnvelope,
  serializeEnvelope,
} from '@sonde/protocol/envelope'
import { ROW_COLUMNS } from '@sonde/stores'
import * as fc from 'fast-check'
import { processRecord } from '../../src/process/process-record.ts'
import { DEFAULT_PROCESSING_SETTINGS, type ProcessingSettings } from '../../src/process/settings-history.ts'
import type { StageTimes } from '../../src/stage-runner.ts'
import { EVENT_STAGES } from '../../src/stages.ts'

const META: EnvelopeMeta = { v: 1, kind: 'envelope', receivedMs: 1_790_000_000_000, projectId: 3, keyId: 4 }
const FIXTURES = new URL('../../../../fixtures/', import.meta.url)
/** `issue_id` is not in the row yet. */
const POSITION_CELL = ROW_COLUMNS.events.indexOf('log_position') - 1

function digest(
  body: Uint8Array,
  meta: Partial<EnvelopeMeta> = {},
  settings: Partial<ProcessingSettings> = {},
) {
  const bytes = encodeIntakeRecord({ ...META, ...meta }, body)
  return processRecord({ position: 5, next: 9, bytes }, { ...DEFAULT_PROCESSING_SETTINGS, ...settings })
}
const envelope = (items: readonly (readonly [type: string, payload: object])[]): Uint8Array =>
  serializeEnvelope(
    createEnvelope(
      {},
      items.map(([type, payload]) => ({ header: { type }, payload })),
    ),
  )

/** Undefined where the file is broken: `envelope_flutter_replay.bin` lost bytes before it came to upstream's repository. */
function itemsOf(body: Uint8Array) {
  try {
    return parseEnvelope(body).items
  } catch {
    return undefined
  }
}

describe('digesting', () => {
  it('takes every envelope of the fixtures, and gives every item one end', () => {
    for (const folder of ['spotlight-envelopes', 'relay/envelopes', 'sentry-cli']) {
      const files = readdirSync(new URL(`${folder}/`, FIXTURES), { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => /\.(?:envelope|txt|bin)$/.test(name))) {
        const body = readFileSync(new URL(`${folder}/${file}`, FIXTURES))
        const { events, rows, attachments, outcomes, dead } = digest(body)
        const items = itemsOf(body)
        assert.deepEqual(
          dead.map((each) => each.reason),
          items === undefined ? ['envelope_unreadable'] : [],
          file,
        )
        if (items === undefined) continue
        const reported = outcomes.filter((each) => each.outcome !== 'client_discard')
        // What detectors find in spans was no item.
        const sent = events.filter(({ category }) => category !== 'performance')
        const ended = sent.length + rows.length + attachments.length + reported.length
        assert.equal(ended, items.length, file)
        for (const event of events) assert.equal(String(event.row).split('\t')[POSITION_CELL], '5')
      }
    }
  })

  it('keeps a transaction whose sample rate is no number', () => {
    const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), client_sample_rate: { toString: '' } }
    const transaction = { type: 'transaction', start_timestamp: 1_789_999_999, timestamp: 1_790_000_000 }
    const { rows, dead } = digest(envelope([['transaction', { ...transaction, contexts: { trace } }]]))
    assert.deepEqual([dead, rows.length], [[], 1])
  })

  it('never throws and never loses an item, whatever the payloads are', () => {
    const type = fc.constantFrom(
      'event',
      'event',
      'transaction',
      'span',
      'session',
      'mystery',
      'client_report',
      'attachment',
    )
    const payload = fc.oneof(
      fc.object(),
      fc.record({
        exception: fc.jsonValue(),
        message: fc.jsonValue(),
        tags: fc.jsonValue(),
        contexts: fc.jsonValue(),
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(type, payload), { maxLength: 6 }), (items) => {
        const { events, rows, attachments, outcomes, dead } = digest(envelope(items))
        const ended = outcomes.filter((each) => each.outcome !== 'client_discard')
        assert.equal(
          events.length + rows.length + attachments.length + ended.length + dead.length,
          items.length,
        )
        assert.deepEqual(dead, [])
      }),
      { numRuns: 200 },
    )
  })

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { events, attachments, outcomes, dead } = processRecord(
          { position: 1, next: 2, bytes },
          DEFAULT_PROCESSING_SETTINGS,
        )
        assert.equal(events.length + attachments.length + outcomes.length + dead.length, 1)
        digest(bytes)
      }),
    )
  })

  it('names an event by the record, else the envelope, else its payload, else its place in the log', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string]
    const body = (header: EnvelopeHeader, payload: object) =>
      serializeEnvelope(createEnvelope(header, [{ header: { type: 'event' }, payload }]))
    assert.equal(digest(body({ event_id: b }, { event_id: c }), { eventId: a }).events[0]?.eventId, a)
    assert.equal(digest(body({ event_id: b }, { event_id: c })).events[0]?.eventId, b)
    assert.equal(digest(body({}, { event_id: c })).events[0]?.eventId, c)
    const unnamed = digest(body({}, {})).events[0]?.eventId
    assert.match(unnamed ?? '', /^[0-9a-f]{32}$/)
    assert.equal(digest(body({}, {})).events[0]?.eventId, unnamed)
  })

  it('scrubs before it stores and groups', () => {
    const password = 'hunter2-very-secret'
    const { events } = digest(envelope([['event', { message: 'x', extra: { password } }]]))
    assert.match(String(events[0]?.row), /\[Filtered\]/)
    assert.ok(!String(events[0]?.row).includes(password))
  })

  it('drops what the project filters out, with the reason', () => {
    const items = [['event', { message: 'x', request: { url: 'http://localhost:3000/a' } }]] as const
    assert.equal(digest(envelope(items)).events.length, 1)
    const { events, outcomes } = digest(
      envelope(items),
      {},
      { filters: { ...DEFAULT_PROCESSING_SETTINGS.filters, localhost: true } },
    )
    assert.equal(events.length, 0)
    assert.deepEqual(
      [outcomes[0]?.outcome, outcomes[0]?.reason, outcomes[0]?.category],
      ['filtered', 'localhost', 'error'],
    )
  })

  it('times every stage by its name', () => {
    const times: StageTimes = new Map()
    const bytes = encodeIntakeRecord(META, envelope([['event', { message: 'x' }]]))
    processRecord({ position: 1, next: 2, bytes }, DEFAULT_PROCESSING_SETTINGS, times)
    assert.deepEqual([...times.keys()], EVENT_STAGES.names)
    const stages = ['parse', 'normalize', 'filter', 'scrub', 'symbolicate', 'group', 'encode']
    assert.deepEqual(EVENT_STAGES.names, stages)
  })
})
