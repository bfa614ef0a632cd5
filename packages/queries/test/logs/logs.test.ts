/** Lines of logs on the real engine: order, pages, every form of the search, severities over time, patterns. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  listLogs,
  logPatterns,
  logSeries,
  LOG_SUGGESTIONS,
  SearchError,
  spanSuggestions,
} from '@sonde/queries'
import { patternOf } from '../../src/logs/log-patterns.ts'
import { MINUTE_MS, NOW_MS, openHarness, type Harness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { type LogLine, logRows } from './log-rows.ts'

let harness: Harness
let org: OrgGrant
let shop: ProjectGrant
let foreign: ProjectGrant
const TRACE = 'a'.repeat(32)
const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const put = (projectId: number, lines: readonly LogLine[]): Promise<void> =>
  logRows(harness)(projectId, lines)
const page = (query = '', more: object = {}) => listLogs(harness.deps, shop, { ...WINDOW, query, ...more })
const bodies = async (query: string) => (await page(query)).lines.map(({ body }) => body)

describe('logs', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    foreign = await harness.project(await harness.org('globex'), 'foreign')
    await put(shop.projectId, [
      {
        body: 'Connection refused by 10.0.0.7:5432',
        severity: 'error',
        severity_number: 17,
        trace_id: TRACE,
      },
      { body: 'second of one time', sequence: 2, agoMs: 2 * MINUTE_MS },
      { body: 'first of one time', sequence: 1, agoMs: 2 * MINUTE_MS },
      {
        body: 'order 17 placed',
        agoMs: 3 * MINUTE_MS,
        release: 'shop@2',
        strings: { 'order.id': '9223372036854775807', region: 'eu' },
        numbers: { total: 40 },
      },
      { body: 'order 18 placed', agoMs: 4 * MINUTE_MS, numbers: { total: 90 }, strings: { region: 'us' } },
      { body: 'discount 100% _applied_', severity: 'chatty', agoMs: 5 * MINUTE_MS },
    ])
    await put(foreign.projectId, [{ body: 'secret of another organization' }])
  })
  after(() => harness?.close())

  it('lists the newest first, lines of one time by their sequence', async () => {
    assert.deepEqual(await bodies(''), [
      'Connection refused by 10.0.0.7:5432',
      'second of one time',
      'first of one time',
      'order 17 placed',
      'order 18 placed',
      'discount 100% _applied_',
    ])
  })

  it('pages without gaps and repetitions, also between lines of one time', async () => {
    const seen: string[] = []
    let before: string | undefined
    for (;;) {
      const { lines, hasMore } = await page('', { limit: 1, before })
      seen.push(...lines.map(({ body }) => body))
      before = lines.at(-1)?.id
      if (!hasMore) break
    }
    assert.deepEqual(seen, await bodies(''))
    await assert.rejects(page('', { before: '1-2; DROP' }), SearchError)
  })

  for (const [query, expected] of [
    ['refused', 1],
    ['"connection REFUSED"', 1],
    ['!order', 4],
    ['severity:error', 1],
    ['level:[error, chatty]', 2],
    ['severity_number:>=17', 1],
    ['release:shop@2', 1],
    ['has:region', 2],
    ['!has:region', 4],
    ['total:>50', 1],
    ['total:40', 1],
    ['order.id:9223372036854775807', 1],
    ['region:e*', 1],
    [`trace:${TRACE}`, 1],
    ['100%', 1],
    ['1%0', 0],
    ['message:"order * placed"', 2],
    ['secret', 0],
  ] as const)
    it(`finds ${expected} for ${query}`, async () => {
      assert.equal((await bodies(query)).length, expected)
      assert.equal((await logSeries(harness.deps, shop, { ...WINDOW, query })).total, expected)
    })

  it('keeps attributes as what they are', async () => {
    const [line] = (await page('release:shop@2')).lines
    assert.deepEqual(line?.attributes, { 'order.id': '9223372036854775807', region: 'eu', total: 40 })
  })

  it('counts severities over time, words of others apart', async () => {
    const series = await logSeries(harness.deps, shop, WINDOW)
    const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0)
    assert.deepEqual(
      [series.total, sum(series.bySeverity.error), sum(series.bySeverity.info), sum(series.bySeverity.other)],
      [6, 1, 4, 1],
    )
  })

  it('offers fields, attributes that occur, and their values', async () => {
    const suggest = (text: string) =>
      spanSuggestions(harness.deps, shop, { ...WINDOW, text }, LOG_SUGGESTIONS)
    assert.deepEqual(
      (await suggest('regi')).suggestions.map(({ label }) => label),
      ['region'],
    )
    assert.deepEqual((await suggest('region:')).suggestions.map(({ label }) => label).toSorted(), [
      'eu',
      'us',
    ])
    assert.deepEqual((await suggest('trace:')).suggestions, [])
  })

  it('puts lines that differ in values under one pattern, which finds them', async () => {
    const { patterns, lines, isWhole } = await logPatterns(harness.deps, shop, WINDOW)
    assert.deepEqual([lines, isWhole], [6, true])
    const [first] = patterns
    assert.deepEqual(
      [first?.pattern, first?.count, first?.example],
      ['order <*> placed', 2, 'order 17 placed'],
    )
    assert.equal((await bodies(first?.search ?? '')).length, 2)
    for (const { search, count } of patterns) assert.ok((await bodies(search)).length >= count, search)
  })
})

describe('patterns', () => {
  for (const [body, pattern] of [
    ["user 'ann' logged in from 10.0.0.7", 'user <*> logged in from <*>'],
    ['GET https://shop.example/a?b=c took 12ms', 'GET <*> took <*>'],
    ["it doesn't work, isn't it", "it doesn't work, isn't it"],
    ['job 7f9c2e6a-11: done.', 'job <*>: done.'],
    ['sizes 1, 2, 3 sent', 'sizes <*> sent'],
  ] as const)
    it(`${body} → ${pattern}`, () => assert.equal(patternOf(body), pattern))

  it('takes time in proportion to the text, whatever it is made of', () => {
    const started = performance.now()
    for (const piece of ['a', '"', "'", '1 ', '/', ' '])
      for (let n = 0; n < 1_000; n++) patternOf(piece.repeat(500))
    assert.ok(performance.now() - started < 3_000)
  })
})
