import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeployedBuild, KeepFiles } from '@sonde/queries'
import { staleTabSentences, type Told } from '../../src/routes/[org]/[project]/overview-tabs.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const DAY_MS = 86_400_000
const KEEP: KeepFiles = {
  environment: 'prod',
  tabs: 412,
  deployments: 1,
  open: 0,
  longestMs: DAY_MS,
  p99: { ms: 93_600_000, lowMs: 1, highMs: undefined },
}
const build = (name: string, next?: string, more: Partial<DeployedBuild> = {}): DeployedBuild => ({
  build: name,
  environment: 'prod',
  firstMs: 0,
  lastMs: NOW_MS,
  servedMs: 0,
  cameMs: [0],
  tellsTabs: true,
  replacedBy: next === undefined ? undefined : { build: next, servedMs: 1 },
  open: undefined,
  leftTabs: 0,
  missedTabs: 0,
  outcomes: {},
  ...more,
})
const failed = (name: string, next?: string, more: object = {}): Told['failures'][number] => ({
  build: name,
  environment: 'prod',
  replacedBy: next === undefined ? undefined : { build: next, servedMs: 1 },
  tabs: 37,
  users: 9,
  kinds: { old_build: 120 },
  lastMs: NOW_MS - 60_000,
  ...more,
})
const say = (
  builds: readonly DeployedBuild[],
  failures: Told['failures'] = [],
  more: Partial<Told & { keep: readonly KeepFiles[] }> = {},
) =>
  staleTabSentences(
    { org: 'acme', project: 'shop' },
    {
      deployments: { builds, keep: more.keep ?? [] },
      failures,
      isMeasured: true,
      sinceMs: 1,
      nowMs: NOW_MS,
      ...more,
    },
  )
const words = (...input: Parameters<typeof say>) => say(...input).map(({ tone, text }) => `${tone}: ${text}`)

describe('what the overview says of stale tabs', () => {
  const left = { leftTabs: 412, missedTabs: 37, outcomes: { recovered: 5, reloaded: 30, stuck: 2 } }

  it('is one sentence for a deployment, however many errors it made', () => {
    const builds = [build('shop@2'), build('shop@1', 'shop@2', left)]
    const [one, ...more] = say(builds, [failed('shop@1', 'shop@2')], { keep: [KEEP] })
    assert.deepEqual(more, [])
    assert.deepEqual(one, {
      tone: 'bad',
      text: 'After shop@2 replaced shop@1: 412 tabs on the old build, 37 hit missing chunks: 35 recovered (30 by a reload), 2 stuck; keep old files for at least 26 h. Last:',
      atMs: NOW_MS - 60_000,
      link: { to: '/acme/shop/navigations#builds', name: 'Stale builds' },
    })
  })

  it('is no alarm when all came through, when it is long ago, or when none hit anything', () => {
    const through = { ...left, outcomes: { reloaded: 37 } }
    const of = (more: Partial<DeployedBuild>, failures: Told['failures']) =>
      say([build('shop@2'), build('shop@1', 'shop@2', more)], failures)[0]
    assert.equal(of(through, [failed('shop@1', 'shop@2')])?.tone, 'attention')
    assert.equal(of(left, [failed('shop@1', 'shop@2', { lastMs: NOW_MS - 3 * DAY_MS })])?.tone, 'attention')
    assert.deepEqual(words([build('shop@2'), build('shop@1', 'shop@2', { leftTabs: 12 })]), [
      'good: After shop@2 replaced shop@1: 12 tabs on the old build, none hit missing chunks.',
    ])
    const calm = ['good: No open tab failed to load code of its build.']
    assert.deepEqual(words([build('shop@2'), build('shop@1', 'shop@2')]), calm)
    // Of an earlier deployment that still has open tabs, what failed then is not asked for.
    assert.deepEqual(
      words([build('shop@2'), build('shop@1', 'shop@2', { leftTabs: 12 })], [], { sinceMs: 2 }),
      calm,
    )
  })

  it('says the environment where there are several, and no deployment where none is to blame', () => {
    const builds = [
      build('shop@2'),
      build('shop@1', 'shop@2', { leftTabs: 1 }),
      build('shop@2', undefined, { environment: 'staging', missedTabs: 1, outcomes: { stuck: 1 } }),
    ]
    const blocked = failed('shop@2', undefined, { environment: 'staging', tabs: 1, users: 0 })
    assert.deepEqual(words(builds, [blocked]), [
      'good: After shop@2 replaced shop@1 in prod: 1 tab on the old build, none hit missing chunks.',
      'bad: 1 tab could not load code of shop@2 in staging: 1 stuck. Last:',
    ])
  })

  it('says the rollback first, and of the release that is back what its tabs went through before', () => {
    const back = build('shop@1', undefined, { missedTabs: 2, outcomes: { stuck: 2 } })
    const builds = [
      back,
      build('shop@2', 'shop@1', { leftTabs: 3, replacedBy: { build: 'shop@1', servedMs: 9 } }),
    ]
    assert.deepEqual(words(builds, [failed('shop@1', 'shop@2', { tabs: 2 })]), [
      'good: After shop@1 replaced shop@2: 3 tabs on the old build, none hit missing chunks.',
      'bad: After shop@2 replaced shop@1: at least 2 tabs on the old build, 2 hit missing chunks: 2 stuck. Last:',
    ])
  })

  it('of a stock Sentry SDK is what errors say, and what would say more', () => {
    const stock = { tellsTabs: false }
    const missed = { ...stock, missedTabs: 4, leftTabs: 2, outcomes: { reloaded: 1, unknown: 3 } }
    const builds = [build('web@2', undefined, stock), build('web@1', 'web@2', missed)]
    const errors = failed('web@1', 'web@2', { tabs: 4, users: 3, kinds: { unknown: 4 } })
    assert.deepEqual(words(builds, [errors], { isMeasured: false }), [
      'bad: 4 tabs of 3 users could not load code of web@1, which web@2 replaced: 1 recovered (by a reload), 3 unknown. Last:',
      'plain: Only errors tell of code that could not be loaded: @sonde/sentry-integration adds which files and why, and tabs() of Sonde’s SDK how many tabs are on an old build.',
    ])
    const recorded = { ...errors, kinds: { old_build: 4 } }
    assert.deepEqual(words(builds, [recorded]).slice(1), [
      'plain: How many tabs are on an old build is not known: tabs() of Sonde’s SDK tells it.',
    ])
    assert.deepEqual(words([], [errors], { isMeasured: false }).length, 2)
    assert.deepEqual(words([build('web@1', undefined, stock)], [], { isMeasured: false }), [])
  })
})
