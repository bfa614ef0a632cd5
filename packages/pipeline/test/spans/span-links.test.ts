/** Links of spans, from every form that spans come in to the columns of their row. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readLinks } from '../../src/spans/span-links.ts'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from './row-cells.ts'
import { type Given, RECEIVED, spanInput } from './span-input-of.ts'

const [TRACE, LINKED, SPAN, TARGET] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(16), 'd'.repeat(16)]
const times = { start_timestamp: RECEIVED - 2, timestamp: RECEIVED - 1 }
const ids = { trace_id: TRACE, span_id: SPAN }
const link = { trace_id: LINKED.toUpperCase(), span_id: TARGET, sampled: false }
const withAttributes = { ...link, attributes: { password: 'hunter2', batch: 3 } }

function rowsOf(given: Given) {
  const processed = SPAN_STAGES.run(spanInput(given), new Map())
  assert.ok(!isDropped(processed))
  return cells('spans', processed)
}

const LINKED_COLUMNS = {
  link_trace_ids: `['${LINKED}']`,
  link_span_ids: `['${TARGET}']`,
}
const columnsOf = (row: Readonly<Record<string, string>> = {}) => ({
  link_trace_ids: row['link_trace_ids'],
  link_span_ids: row['link_span_ids'],
})

describe('links of spans', () => {
  test('of a transaction and of its children', () => {
    const rows = rowsOf({
      payload: {
        ...times,
        type: 'transaction',
        event_id: 'e'.repeat(32),
        contexts: { trace: { ...ids, links: [withAttributes] } },
        spans: [
          { ...times, ...ids, span_id: '1'.repeat(16), links: [link] },
          { ...times, ...ids, span_id: '2'.repeat(16) },
        ],
      },
    })
    assert.deepEqual(rows.map(columnsOf), [
      LINKED_COLUMNS,
      LINKED_COLUMNS,
      { link_trace_ids: '[]', link_span_ids: '[]' },
    ])
    assert.equal(
      rows[0]?.['link_attributes'],
      `['{"sampled":"false","password":"[Filtered]","batch":3}']`,
      'what a link says is scrubbed too',
    )
  })

  test('of a standalone span, and of a streamed one', () => {
    const single = rowsOf({ header: { type: 'span' }, payload: { ...times, ...ids, links: [link] } })
    const attributes = { 'sentry.link.type': { type: 'string', value: 'next_trace' } }
    const streamed = rowsOf({
      header: { type: 'span' },
      payload: {
        items: [{ ...ids, ...times, end_timestamp: RECEIVED, links: [{ ...link, attributes }] }],
      },
    })
    assert.deepEqual([...single, ...streamed].map(columnsOf), [LINKED_COLUMNS, LINKED_COLUMNS])
    assert.equal(streamed[0]?.['link_attributes'], `['{"sampled":"false","sentry.link.type":"next_trace"}']`)
  })

  test('what is none is left out, and more than a span has are not kept', () => {
    const given = [null, 7, {}, { ...link, span_id: '0'.repeat(16) }, { ...link, trace_id: 'x' }, link]
    assert.deepEqual(readLinks(given), [
      { traceId: LINKED, spanId: TARGET, attributes: { sampled: 'false' } },
    ])
    assert.equal(readLinks(Array.from({ length: 1_000 }, () => link)).length, 128)
    const [long] = readLinks([{ ...link, attributes: { long: 'x'.repeat(5_000), short: 'y' } }])
    assert.ok(long && JSON.stringify(long.attributes).length < 1_100)
    for (const raw of [undefined, null, 'x', {}, 7]) assert.deepEqual(readLinks(raw), [])
  })
})
