import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isAnySpike,
  newcomersText,
  spikesText,
} from '../../src/routes/[org]/[project]/settings/limit-form.tsx'
import { spikeStateText } from '../../src/routes/[org]/[project]/settings/spike-form.tsx'

test('what every project may send is told in one sentence', () => {
  assert.match(
    spikesText({ events: 6_000, spans: 120_000, bytes: 1e8, hourTimes: 20 }),
    /at most 6,000 errors, and as many of each other data type, 120,000 spans and 100.0 MB of each data type per minute, and 20 times/,
  )
  assert.match(spikesText({ spans: 7, hourTimes: 20 }), /at most 7 spans per minute/)
})

test('without any limit everything is taken', () => {
  assert.equal(isAnySpike({ hourTimes: 20 }), false)
  assert.equal(spikesText({ hourTimes: 20 }), 'No limit.')
})

test('how many issues and releases a minute makes is told with what becomes of the others', () => {
  const both = newcomersText({ issues: 100, releases: 20, hourTimes: 20 }) ?? ''
  assert.match(
    both,
    /^At most 100 new issues and 20 new releases per minute, and 20 times as many per hour\. Events/,
  )
  assert.match(
    newcomersText({ releases: 1, hourTimes: 20 }) ?? '',
    /At most 1 new releases .* further releases/,
  )
  assert.equal(newcomersText({ events: 1, hourTimes: 20 }), undefined)
})

test('what is learnt is said with its numbers, or why it is not used', () => {
  const learned = { state: 'on', baseline: { usualPerHour: 6_012, minuteLimit: 600 } } as const
  assert.equal(
    spikeStateText(learned),
    'Usual at this time of the week: 6,012 events per hour. Above 600 within a minute, events are sampled.',
  )
  assert.match(
    spikeStateText({ state: 'on', baseline: { usualPerHour: 1, minuteLimit: 600 } }),
    /1 event per hour/,
  )
  assert.match(spikeStateText({ state: 'learning' }), /a week after the first event/)
  assert.match(spikeStateText({ state: 'limited' }), /the rate limit of the project takes its place/)
  assert.match(spikeStateText({ state: 'off' }), /every event is stored/)
})
