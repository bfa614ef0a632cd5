/** Which attachments are kept, and that those of a dropped event go with it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeIntakeRecord, type EnvelopeMeta } from '@sonde/log'
import { createEnvelope, type ItemHeader, serializeEnvelope } from '@sonde/protocol/envelope'
import { processRecord } from '../../src/process/process-record.ts'
import { DEFAULT_PROCESSING_SETTINGS } from '../../src/process/settings-history.ts'

const EVENT_ID = 'ab'.repeat(16)
type Item = readonly [header: ItemHeader, payload: object | string | Uint8Array]
const FILE: Item = [{ type: 'attachment', filename: 'a.txt', content_type: 'text/x' }, 'some\nlines']

function digest(items: readonly Item[], meta: Partial<EnvelopeMeta> = {}) {
  const body = serializeEnvelope(
    createEnvelope(
      { event_id: EVENT_ID },
      items.map(([header, payload]) => ({ header, payload })),
    ),
  )
  const bytes = encodeIntakeRecord(
    { v: 1, kind: 'envelope', receivedMs: 1_790_000_000_000, projectId: 3, keyId: 4, ...meta },
    body,
  )
  const filters = { ...DEFAULT_PROCESSING_SETTINGS.filters, localhost: true }
  const record = { position: 5, next: 9, bytes }
  return { bytes, ...processRecord(record, { ...DEFAULT_PROCESSING_SETTINGS, filters }) }
}
const ends = ({ outcomes }: ReturnType<typeof digest>) =>
  outcomes.map(({ category, outcome, reason }) => `${category} ${outcome} ${reason}`)

describe('the attachments of an envelope', () => {
  it('lie where they say, with their hashes', () => {
    const binary = Uint8Array.of(0x0a, 0x00, 0xff, 0x0a)
    const named: Item = [{ type: 'attachment', filename: 'b.bin', attachment_type: 'event.minidump' }, binary]
    const { attachments, bytes, events } = digest([FILE, [{ type: 'event' }, { message: 'x' }], named])
    assert.equal(events.length, 1)
    assert.deepEqual(
      attachments.map((each) => [each.itemIndex, each.eventId, each.name, each.shownAs, each.attachmentType]),
      [
        [0, EVENT_ID, 'a.txt', 'text/plain', 'event.attachment'],
        [2, EVENT_ID, 'b.bin', '', 'event.minidump'],
      ],
    )
    const cut = attachments.map((each) => Buffer.from(bytes.subarray(each.offset, each.offset + each.bytes)))
    assert.deepEqual(cut, [Buffer.from('some\nlines'), Buffer.from(binary)])
    // `printf 'some\nlines' | sha1sum`
    assert.equal(attachments[0]?.sha1, '2ce16474dff886a4b8d1059591d0be553d42dfa7')
  })

  it('without an event belong to one that came before or comes later', () => {
    assert.deepEqual(
      digest([FILE]).attachments.map((each) => each.eventId),
      [EVENT_ID],
    )
    assert.deepEqual(
      digest([FILE], { eventId: 'cd'.repeat(16) }).attachments.map((each) => each.eventId),
      ['cd'.repeat(16)],
    )
  })

  it('are dropped together with their event, and counted', () => {
    const localhost = { message: 'x', request: { url: 'http://localhost/' } }
    const filtered = digest([[{ type: 'event' }, localhost], FILE])
    assert.deepEqual(filtered.attachments, [])
    assert.deepEqual(ends(filtered), ['error filtered localhost', 'attachment filtered event_dropped'])
    const broken = digest([FILE, [{ type: 'event' }, '{']])
    assert.deepEqual(broken.attachments, [])
    assert.deepEqual(ends(broken), ['error invalid bad_json', 'attachment invalid event_invalid'])
  })

  it('are not held by spans that came along with a filtered event, but by a transaction', () => {
    const localhost = { message: 'x', request: { url: 'http://localhost/' } }
    const container: ItemHeader = {
      type: 'span',
      content_type: 'application/vnd.sentry.items.span.v2+json',
      item_count: 1,
    }
    const [traceId, spanId] = ['c'.repeat(32), 'd'.repeat(16)]
    const span = { trace_id: traceId, span_id: spanId, name: 'x', start_timestamp: 1, end_timestamp: 2 }
    const found = digest([[{ type: 'event' }, localhost], [container, { items: [span] }], FILE])
    assert.equal(found.rows.length, 1)
    assert.deepEqual(found.attachments, [])
    const trace = { trace_id: traceId, span_id: spanId, op: 'pageload' }
    const transaction = {
      type: 'transaction',
      transaction: 'x',
      start_timestamp: 1,
      timestamp: 2,
      contexts: { trace },
    }
    assert.equal(digest([[{ type: 'transaction' }, transaction], FILE]).attachments.length, 1)
  })

  it('of a report that nobody unpacked are not kept either', () => {
    const found = digest([[{ type: 'unreal_report' }, 'no JSON'], FILE])
    assert.deepEqual(found.attachments, [])
    assert.equal(ends(found).at(-1), 'attachment invalid event_invalid')
  })

  it('that nobody can be shown are counted: of a trace, references', () => {
    for (const header of [
      { content_type: 'application/vnd.sentry.attachment-ref+json' },
      { span_id: null },
      { meta_length: 3 },
    ]) {
      const found = digest([
        [{ type: 'event' }, { message: 'x' }],
        [{ type: 'attachment', ...header }, 'abc'],
      ])
      assert.deepEqual(found.attachments, [], JSON.stringify(header))
      assert.deepEqual(ends(found), ['attachment unsupported not_yet_shown'])
      assert.equal(found.events.length, 1)
    }
  })

  it('that the door refused are not looked at', () => {
    assert.deepEqual(digest([FILE, FILE], { skip: [0] }).attachments.length, 1)
  })
})
