import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROW_COLUMNS } from '@sonde/stores'
import { CHECK_IN_STAGES } from '../../src/monitors/check-in-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { spanInput } from '../spans/span-input-of.ts'

const ID = '7f1a6f1e0d3c4b8f9f3f0d2f6a1b2c3d'
const run = (payload: unknown) =>
  CHECK_IN_STAGES.run(spanInput({ header: { type: 'check_in' }, payload }), new Map())
function rowOf(fields: Record<string, unknown>): Record<string, string> {
  const result = run({ check_in_id: ID, monitor_slug: 'nightly', status: 'ok', ...fields })
  assert.ok(!isDropped(result), JSON.stringify(result))
  const values = String(result.item.rows.check_ins).split('\t')
  return Object.fromEntries(ROW_COLUMNS.check_ins.map((name, at) => [name, values[at] ?? '']))
}

test('a check-in is one row of its monitor and environment', () => {
  const config = { schedule: { type: 'crontab', value: '0 3 * * *' }, timezone: 'Europe/Berlin' }
  const row = rowOf({ duration: 1.5, environment: 'staging', release: 'shop@1', monitor_config: config })
  assert.equal(row['check_in_id'], ID)
  assert.equal(row['monitor_slug'], 'nightly')
  assert.equal(row['environment'], 'staging')
  assert.equal(row['status'], 'ok')
  assert.equal(row['duration_ms'], '1500')
  assert.equal(row['release'], 'shop@1')
  assert.deepEqual(JSON.parse(row['monitor_config'] ?? ''), config)
})

test('what is not said has its default, and a status that nobody knows is unknown', () => {
  const row = rowOf({ status: 'missed' })
  assert.equal(row['environment'], 'production')
  assert.equal(row['status'], 'unknown')
  assert.equal(row['duration_ms'], '\\N')
  assert.equal(row['monitor_config'], '')
})

test('names of monitors are cut and spelled as upstream spells them', () => {
  assert.equal(rowOf({ monitor_slug: ' Nightly  Import! ' })['monitor_slug'], 'nightly-import')
  assert.equal(rowOf({ monitor_slug: 'x'.repeat(5_000) })['monitor_slug'], 'x'.repeat(50))
})

for (const [what, payload] of [
  ['a list', []],
  ['no monitor', { check_in_id: ID, status: 'ok' }],
  ['a monitor without a letter', { check_in_id: ID, monitor_slug: '…', status: 'ok' }],
  ['no id', { monitor_slug: 'nightly', status: 'ok' }],
] as const)
  test(`${what} is a bad payload`, () => {
    const result = run(payload)
    assert.ok(isDropped(result))
    assert.equal(result.dropped.reason, 'bad_payload')
  })

test('a configuration that is far too long is left out, and the check-in is kept', () => {
  assert.equal(rowOf({ monitor_config: { timezone: 'x'.repeat(10_000) } })['monitor_config'], '')
})
