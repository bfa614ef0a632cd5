import assert from 'node:assert/strict'
import { test } from 'node:test'
import { damagePart } from '../../src/doctor/damage-part.ts'

const NOTHING = { logDir: '/data/log', stretches: [], parts: [] }
const part = (name: string, rows: number | undefined) => ({
  table: 'events',
  part: name,
  rows,
  bytes: 10,
  path: `/data/telemetry/${name}`,
})

test('says nothing while nothing is damaged', () => {
  assert.equal(damagePart(NOTHING), undefined)
})

test('says how much of the log is lost, since when, and where it is kept', () => {
  const stretch = { position: 1, segment: 'x.log', foundMs: Date.UTC(2026, 0, 2) }
  const found = damagePart({
    ...NOTHING,
    stretches: [
      { ...stretch, bytes: 1_000 },
      { ...stretch, position: 9, bytes: 234, foundMs: Date.UTC(2026, 0, 1) },
    ],
  })
  assert.equal(found?.state, 'degraded')
  assert.match(found.detail, /^1,234 bytes of the log in 2 places .* lost/)
  assert.match(found.detail, /first found 2026-01-01; kept in \/data\/log\/damaged\)/)
  assert.match(found.detail, /restore what is missing from a backup.*delete the named folders/)
})

test('names damaged parts with their rows, the first of many', () => {
  const parts = [part('a', 1), part('b', 5_000), part('c', undefined), part('d', 1), part('e', 1)]
  const { detail = '' } = damagePart({ ...NOTHING, parts }) ?? {}
  assert.match(
    detail,
    /part a of the table events .*: 1 row missing from the screens \(\/data\/telemetry\/a\)/,
  )
  assert.match(detail, /part b .* 5,000 rows missing/)
  assert.match(detail, /part c .* an unknown number of rows missing/)
  assert.match(detail, /; 2 more parts, in folders beside these\./)
  assert.doesNotMatch(detail, /part d/)
})

test('names files that could not be read, and what makes the line go away', () => {
  const blobs = ['a', 'b', 'c', 'd'].map((name) => ({
    name: `attachments/${name}`,
    problem: 'missing' as const,
    foundMs: 1,
  }))
  const { detail = '' } = damagePart({ ...NOTHING, blobs }) ?? {}
  assert.match(
    detail,
    /^4 stored files could not be read in the last day: attachments\/a \(missing\), .* and 1 more; the screens/,
  )
  assert.match(detail, /a day after the last of them was asked for, this line goes away\.$/)
})
