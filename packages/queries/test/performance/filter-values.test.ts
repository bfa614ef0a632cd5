import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { filterColumns, filterValues } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { hexId, performanceRows } from './rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

describe('the values that a screen can be narrowed to', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant

  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    const rival = await harness.project(await harness.org('rival'), 'secret')
    const rows = performanceRows(harness)
    await rows.spans(shop.projectId, [
      { browser: 'Chrome', os: 'Windows' },
      { browser: 'Chrome', os: 'Android' },
      { browser: 'Safari', os: 'iOS', sampleRate: 0.25 },
      { browser: '' },
      { browser: 'Child', isSegment: false },
      { browser: 'Old', startMs: NOW_MS - 61 * MINUTE_MS },
    ])
    await rows.spans(rival.projectId, [{ browser: 'Secret' }])
    await rows.vitals(shop.projectId, [{ browser: 'Opera', pageId: hexId(7), isFinal: false }])
    await rows.vitals(shop.projectId, [
      { browser: 'Opera', pageId: hexId(7) },
      { browser: 'Opera', pageId: hexId(7), name: 'cls', value: 0.1 },
      { browser: 'Vivaldi', pageId: hexId(8), sampleRate: 0.5 },
    ])
    await rows.navigations(shop.projectId, [{ browser: 'Edge' }])
  })
  after(() => harness.close())

  it('are those of the window, counted up from what was sampled, the most frequent first', async () => {
    const found = await filterValues(harness.deps, acme, {
      ...WINDOW,
      source: 'transactions',
      column: 'browser',
    })
    assert.deepEqual(found, [
      { value: 'Safari', count: 4 },
      { value: 'Chrome', count: 2 },
    ])
  })

  it('are those of what the screen counts: spans, visits, navigations', async () => {
    const of = async (source: 'spans' | 'vitals' | 'navigations') => {
      const found = await filterValues(harness.deps, shop, { ...WINDOW, source, column: 'browser' })
      return Object.fromEntries(found.map(({ value, count }) => [value, count]))
    }
    assert.deepEqual(await of('spans'), { Safari: 4, Chrome: 2, Child: 1 })
    assert.deepEqual(await of('vitals'), { Vivaldi: 2, Opera: 1 })
    assert.deepEqual(await of('navigations'), { Edge: 1 })
  })

  it('of years to come and long gone are none, and no error', async () => {
    const asked = { source: 'transactions', column: 'browser' } as const
    const of = async (fromMs: number, toMs: number) =>
      (await filterValues(harness.deps, shop, { fromMs, toMs, ...asked })).length
    assert.equal(await of(Date.UTC(9000, 0, 1), Date.UTC(9999, 11, 31)), 0)
    assert.equal(await of(0, 1), 0)
    assert.equal(await of(0, Date.UTC(9999, 11, 31)), 3)
  })

  it('are narrowed by the other columns and not by their own', async () => {
    const asked = { ...WINDOW, source: 'transactions', browser: ['Safari'] } as const
    const browsers = await filterValues(harness.deps, shop, { ...asked, column: 'browser' })
    assert.deepEqual(
      browsers.map(({ value }) => value),
      ['Safari', 'Chrome'],
    )
    const systems = await filterValues(harness.deps, shop, { ...asked, column: 'os' })
    assert.deepEqual(systems, [{ value: 'iOS', count: 4 }])
  })
})

it('a column takes at most a hundred values, each once', () => {
  const many = Array.from({ length: 150 }, (_, n) => `v${n >> 1}`)
  const { release, os } = filterColumns((column) => (column === 'release' ? [...many, '', 'a', 'b'] : ['']))
  assert.equal(release?.length, 77)
  assert.equal(os, undefined)
  const more = Array.from({ length: 150 }, (_, n) => `v${n}`)
  assert.equal(filterColumns(() => more).browser?.length, 100)
})
