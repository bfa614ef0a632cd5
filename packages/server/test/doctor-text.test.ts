import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportText } from '../src/doctor/report-text.ts'
import { type DoctorReport, type PartReport, worstState } from '../src/doctor/report.ts'

const part = (state: PartReport['state']): PartReport => ({ name: state, state, detail: 'x' })

test('the whole is as bad as its worst part', () => {
  assert.equal(worstState([]), 'ok')
  assert.equal(worstState([part('ok'), part('degraded')]), 'degraded')
  assert.equal(worstState([part('down'), part('degraded'), part('ok')]), 'down')
})

test('the text names each part, what waits, and each outcome with its reason', () => {
  const report: DoctorReport = {
    version: '1.2.3',
    state: 'degraded',
    parts: [{ name: 'pipeline', state: 'degraded', detail: 'the store refuses rows' }],
    log: { depthBytes: 12_345, keptBytes: 67_108_864, oldestAgeMs: 1500 },
    deadLetters: 0,
    outcomes: [{ category: 'error', outcome: 'rate_limited', reason: 'key_quota', quantity: 1200 }],
  }
  const text = reportText(report)
  assert.match(text, /Sonde 1\.2\.3: degraded/)
  assert.match(text, /pipeline +degraded +the store refuses rows/)
  assert.match(text, /12,345 bytes wait, the oldest for 1\.5 s/)
  assert.match(text, /1,200 +error +rate_limited +key_quota/)
})
