import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SondeError } from '@sonde/base'
import { releaseVerdict } from '@sonde/queries'
import { absentSentences, measureSentence } from '@sonde/queries/contract'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { performanceRows } from '../performance/rows.ts'
import { sessionRows } from '../sessions/session-rows.ts'
import { releaseFixture } from './release-fixture.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index))

describe('the verdict of a release', () => {
  let harness: Harness
  let shop: ProjectGrant
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    const other = await harness.project(org, 'other')
    const add = releaseFixture(harness, org.orgId)
    for (const version of ['shop@1.0.0', 'shop@2.0.0', 'shop@3.0.0', 'shop@4.0.0'])
      await add({ version, projects: [shop] })
    await add({ version: 'other@1.0.0', projects: [other] })
    const rows = performanceRows(harness)
    const pages = (release: string, slow: number) =>
      many(900, (index) => ({ release, value: slow + index, userKey: `id:${release}${index}` }))
    await rows.vitals(shop.projectId, [...pages('shop@1.0.0', 1000), ...pages('shop@2.0.0', 1000)])
    const moves = (release: string, failing: number) =>
      many(900, (index) => ({
        release,
        userKey: `id:${release}${index}`,
        outcome: index < failing ? ('full_load' as const) : ('committed' as const),
      }))
    await rows.navigations(shop.projectId, [...moves('shop@1.0.0', 9), ...moves('shop@2.0.0', 180)])
    await sessionRows(harness)(shop.projectId, [
      { release: 'shop@1.0.0', healthy: 190_000, crashed: 10_000 },
      { release: 'shop@2.0.0', healthy: 190_000, crashed: 10_000 },
      { release: 'shop@3.0.0', healthy: 199_000, crashed: 1_000 },
      { release: 'shop@4.0.0', healthy: 5 },
    ])
  })
  after(() => harness.close())

  const ask = (release: string, more: object = {}) =>
    releaseVerdict(harness.deps, shop, { ...WINDOW, release, ...more })
  const told = ({ measures }: Awaited<ReturnType<typeof ask>>) =>
    measures.map(({ name, verdict }) => `${name} ${verdict}`)

  it('is worse where more navigations fail, although crashes and vitals are as they were', async () => {
    const judged = await ask('shop@2.0.0')
    assert.deepEqual([judged.verdict, judged.before], ['worse', 'shop@1.0.0'])
    assert.deepEqual(told(judged).toSorted(), [
      'crashed_sessions same',
      'failed_navigations worse',
      'hung_navigations same',
      'lcp same',
    ])
    assert.deepEqual(judged.absent, [
      'users_with_crash',
      'users_with_error',
      'error_rate',
      'inp',
      'cls',
      'fcp',
      'ttfb',
    ])
    const failing = judged.measures.find(({ name }) => name === 'failed_navigations')
    assert.deepEqual([failing?.release, failing?.before, failing?.of], [900, 900, 'navigations'])
    assert.ok(Math.abs(failing!.by! - 0.19) < 1e-9 && failing!.low! > 0.1, JSON.stringify(failing))
  })

  it('is better against the release before, or another that is asked for', async () => {
    assert.equal((await ask('shop@3.0.0')).verdict, 'better')
    const judged = await ask('shop@1.0.0', { before: 'shop@3.0.0' })
    assert.deepEqual([judged.verdict, judged.before], ['worse', 'shop@3.0.0'])
  })

  it('says what is still needed, and that nothing came before the first', async () => {
    const early = await ask('shop@4.0.0')
    assert.equal(early.verdict, 'not_enough_data')
    assert.deepEqual(
      early.measures.map(({ name, needed }) => [name, needed]),
      [['crashed_sessions', 25]],
    )
    const first = await ask('shop@1.0.0')
    assert.deepEqual([first.verdict, first.before, first.measures], ['not_enough_data', undefined, []])
    assert.equal((await ask('shop@2.0.0', { environment: ['staging'] })).verdict, 'not_enough_data')
  })

  it('judges a project that only a stock SDK writes to by what it sends, and says what that leaves out', async () => {
    const stock = await harness.project(await harness.org('stock'), 'stock')
    const add = releaseFixture(harness, stock.orgId)
    for (const version of ['stock@1.0.0', 'stock@2.0.0']) await add({ version, projects: [stock] })
    const transactions = (release: string, failing: number) =>
      many(3_000, (index) => ({ release, status: index < failing ? 'internal_error' : 'ok' }))
    const rows = performanceRows(harness)
    await rows.spans(stock.projectId, [
      ...transactions('stock@1.0.0', 30),
      ...transactions('stock@2.0.0', 300),
    ])
    const judged = await releaseVerdict(harness.deps, stock, { ...WINDOW, release: 'stock@2.0.0' })
    assert.equal(judged.verdict, 'worse')
    assert.deepEqual(told(judged), ['error_rate worse'])
    assert.equal(
      judged.measures[0] && measureSentence(judged.measures[0]),
      'More transactions fail: +9.0 points, 95% interval +7.4 to +10.7 points, from 3,000 transactions of this release and 3,000 of the one before.',
    )
    assert.deepEqual(absentSentences(judged.absent), [
      'No sessions were received of either release, so there are no crash-free rates.',
      'Nothing names its user, so users with an error are not known.',
      'Outcomes of navigations are not known: Sonde’s SDK or @sonde/sentry-integration sends them.',
      'There are no web vitals of both releases to compare.',
    ])
  })

  it('knows no release of another project, and none that nobody named', async () => {
    const asked: readonly (readonly [string, object?])[] = [
      ['other@1.0.0'],
      ['shop@9.0.0'],
      ['shop@2.0.0', { before: 'other@1.0.0' }],
    ]
    for (const [release, more] of asked)
      await assert.rejects(ask(release, more), (error: SondeError) => error.kind === 'not-found')
  })
})
