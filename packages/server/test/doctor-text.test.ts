import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DoctorReport, type PartReport, reportText, worstState } from '../src/doctor/report.ts'

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
    processes: [
      { name: 'front', pid: 7, uptimeMs: 3_600_000, rssBytes: 90e6, privateBytes: 40e6, cpuShare: 0.031 },
      { name: 'back', pid: 8, uptimeMs: 59_000, rssBytes: 300e6, privateBytes: undefined, cpuShare: 1.2 },
    ],
    nodes: [],
    deadLetters: 0,
    outcomes: [{ category: 'error', outcome: 'rate_limited', reason: 'key_quota', quantity: 1200 }],
  }
  const text = reportText(report)
  assert.match(text, /Sonde 1\.2\.3: degraded/)
  assert.match(text, /pipeline +degraded +the store refuses rows/)
  assert.match(text, /backlog of 12,345 bytes, oldest 1\.5 s/)
  assert.match(text, /front +pid 7 +up 60 min +90 MB resident +40 MB private +3% of a core/)
  assert.match(text, /back +pid 8 +up 1 min +300 MB resident +120% of a core/)
  assert.match(text, /1,200 +error +rate_limited +key_quota/)
})
