import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previousTraceOf, readLinks } from '../../src/spans/span-links.ts'
import { SPAN_STAGES } from '../../src/spans/span-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from './row-cells.ts'
import { RECEIVED, spanInput } from './span-input-of.ts'

const [TRACE, BEFORE, SPAN] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(16)]
const link = (type: unknown, more: object = {}) => ({
  trace_id: BEFORE.toUpperCase(),
  span_id: SPAN,
  sampled: true,
  attributes: { 'sentry.link.type': type },
  ...more,
})

test('the link of a transaction to the page before is kept where streamed spans say it', () => {
  const payload = {
    type: 'transaction',
    event_id: 'e'.repeat(32),
    transaction: '/cart',
    start_timestamp: RECEIVED - 2,
    timestamp: RECEIVED - 1,
    contexts: {
      trace: {
        trace_id: TRACE,
        span_id: SPAN,
        op: 'pageload',
        links: [link('other'), link('previous_trace')],
      },
    },
  }
  const processed = SPAN_STAGES.run(spanInput({ payload }), new Map())
  assert.ok(!isDropped(processed))
  assert.match(
    cells('spans', processed)[0]?.strings ?? '',
    new RegExp(`'sentry.previous_trace':'${BEFORE}-${SPAN}-1'`),
  )
})

test('links of other kinds, without ids, and what is no link say nothing', () => {
  for (const links of [
    undefined,
    'x',
    [],
    [null, 7],
    [link('next_trace')],
    [link('previous_trace', { trace_id: 'none' })],
    [{ trace_id: BEFORE, span_id: SPAN }],
  ])
    assert.deepEqual(previousTraceOf(readLinks(links)), {})
  const streamed = link({ type: 'string', value: 'previous_trace' }, { sampled: false })
  assert.deepEqual(previousTraceOf(readLinks([streamed])), {
    'sentry.previous_trace': `${BEFORE}-${SPAN}-0`,
  })
})
