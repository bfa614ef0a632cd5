import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JudgedMeasure, JudgedRelease } from '@sonde/queries'
import { verdictView } from '../../../src/parts/releases/verdict-view.ts'

const MEASURE = { of: 'navigations', isRelative: false, margin: 0.01, release: 40, before: 900 } as const
const few: JudgedMeasure = {
  ...MEASURE,
  name: 'failed_navigations',
  verdict: 'not_enough_data',
  by: 0.02,
  low: -0.01,
  high: 0.05,
  needed: 1_250,
}
const slower: JudgedMeasure = {
  name: 'lcp',
  of: 'page loads',
  isRelative: true,
  margin: 0.1,
  release: 900,
  before: 800,
  verdict: 'worse',
  by: 0.3,
  low: 0.15,
  high: 0.48,
}
const judged: JudgedRelease = {
  verdict: 'not_enough_data',
  release: 'shop@2',
  before: 'shop@1',
  fromMs: 0,
  toMs: 1,
  measures: [few],
  absent: ['lcp', 'inp', 'error_rate'],
}

describe('the verdict of a release on screens', () => {
  it('says in words how many more are needed, and what the data cannot show once for each reason', () => {
    const view = verdictView(judged)
    assert.equal(view.sentence, 'shop@2 does not have enough data yet to be compared with shop@1.')
    assert.equal(view.next, 'About 1,250 more navigations of this release are needed.')
    assert.equal(
      view.measures[0]?.text,
      'Not enough data on failed navigations: 40 navigations of this release and 900 of the one before (so far +2.0 points, 95% interval −1.0 to +5.0 points). About 1,250 more navigations of this release are needed.',
    )
    assert.deepEqual(view.absent, [
      'No transactions were received of either release, so there is no error rate.',
      'There is no LCP, INP of both releases to compare.',
    ])
  })

  it('has what is worse first, and asks for nothing more where something is decided', () => {
    const view = verdictView({ ...judged, verdict: 'worse', measures: [few, slower] })
    assert.deepEqual(
      view.measures.map(({ name }) => name),
      ['lcp', 'failed_navigations'],
    )
    assert.equal(view.next, undefined)
    assert.match(
      view.measures[0]?.text ?? '',
      /^Largest contentful paint is slower: \+30\.0%, 95% interval \+15\.0% to \+48\.0%, from 900 page loads of this release/,
    )
  })

  it('asks nothing of a first release', () => {
    const view = verdictView({ ...judged, before: undefined, measures: [], absent: [] })
    assert.deepEqual(
      [view.sentence, view.next, view.absent],
      ['shop@2 is the first release: there is nothing to compare it with.', undefined, []],
    )
  })
})
