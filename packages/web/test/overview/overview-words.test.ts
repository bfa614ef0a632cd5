import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type {
  FreshIssue,
  JudgedMeasure,
  JudgedRelease,
  NavigationHealth,
  ReleaseDetail,
} from '@sonde/queries'
import { alertSentences } from '../../src/routes/[org]/[project]/overview-alerts.ts'
import { unknownSentences, vitalSentences } from '../../src/routes/[org]/[project]/overview-measured.ts'
import {
  type OverviewSection,
  type Sentence,
  sortedSections,
  worstTone,
} from '../../src/routes/[org]/[project]/overview-section.ts'
import {
  issueSentences,
  navigationSentences,
  releaseSentences,
} from '../../src/routes/[org]/[project]/overview-words.ts'

const PLACE = { org: 'acme', project: 'shop' }
const NOW_MS = Date.UTC(2026, 0, 31, 12)
const told = (sentences: readonly Sentence[]) => sentences.map(({ tone, text }) => `${tone}: ${text}`)

const RELEASE = { version: 'shop@2', deploys: [], firstEventMs: NOW_MS - 60_000 } as unknown as ReleaseDetail
const JUDGED: JudgedRelease = {
  verdict: 'not_enough_data',
  release: 'shop@2',
  before: 'shop@1',
  fromMs: 0,
  toMs: 1,
  measures: [],
  absent: [],
}
const FAILING: JudgedMeasure = {
  name: 'failed_navigations',
  of: 'navigations',
  isRelative: false,
  margin: 0.01,
  release: 400,
  before: 400,
  verdict: 'worse',
  by: 0.1,
  low: 0.05,
  high: 0.15,
}

describe('what the overview says of the release', () => {
  it('says how to name one, that the first has nothing before it, and how many more are needed', () => {
    const [none] = releaseSentences(PLACE, undefined, undefined)
    assert.deepEqual([none?.tone, none?.link?.to], ['attention', '/acme/shop/releases'])
    assert.match(none?.text ?? '', /^No release is named, so a deployment cannot be compared/)
    assert.deepEqual(told(releaseSentences(PLACE, RELEASE, { ...JUDGED, before: undefined })), [
      'plain: shop@2 is the first release: there is nothing to compare it with.',
      'plain: First event',
    ])
    const few = { ...FAILING, verdict: 'not_enough_data' as const, release: 12, needed: 18 }
    assert.deepEqual(told(releaseSentences(PLACE, RELEASE, { ...JUDGED, measures: [few] })), [
      'plain: shop@2 does not have enough data yet to be compared with shop@1.',
      'plain: About 18 more navigations of this release are needed.',
      'plain: First event',
    ])
    assert.equal(releaseSentences(PLACE, RELEASE, JUDGED)[1]?.text, 'Nothing was measured of either yet.')
  })

  it('has what decides below the verdict, the worse first, each with the way to what shows it', () => {
    const better = {
      ...FAILING,
      name: 'crashed_sessions' as const,
      of: 'sessions' as const,
      verdict: 'better' as const,
    }
    const deploys = [{ environment: 'production', finishedMs: NOW_MS }]
    const sentences = releaseSentences(
      PLACE,
      { ...RELEASE, deploys },
      { ...JUDGED, verdict: 'worse', measures: [better, FAILING, { ...FAILING, verdict: 'same' }] },
    )
    assert.deepEqual(
      sentences.map(({ tone, link }) => [tone, link?.to]),
      [
        ['bad', '/acme/shop/releases/shop%402#verdict'],
        ['bad', '/acme/shop/navigations?release=shop%402'],
        ['good', '/acme/shop/releases/shop%402#health'],
        ['plain', '/acme/shop/releases/shop%402#deploys'],
      ],
    )
    assert.equal(
      sentences[1]?.text,
      'More navigations fail or are abandoned: +10.0 points, 95% interval +5.0 to +15.0 points, from 400 navigations of this release and 400 of the one before.',
    )
  })
})

describe('what the overview says of errors', () => {
  const issue: FreshIssue = {
    shortId: 'SHOP-1',
    title: 'TypeError: x is undefined',
    culprit: 'checkout',
    level: 'error',
    status: 'unresolved',
    metadata: { function: 'total', filename: 'src/cart/total.ts' },
    firstSeenMs: NOW_MS,
    kind: 'new',
    events: 12,
    users: 9,
    isNoise: false,
  }
  it('answers what broke, for whom, where in the code and by which commit', () => {
    const suspect = { sha: 'c3c3c3c3c3', subject: 'Totals', author: 'Grace' }
    const sentences = issueSentences(PLACE, RELEASE, {
      new: 3,
      regressed: 1,
      noise: 2,
      top: [issue],
      suspect,
    })
    assert.deepEqual(told(sentences), [
      'bad: 3 new issues and 1 regression in shop@2.',
      'plain: 2 of them are noise, which your code probably did not cause.',
      'bad: TypeError: x is undefined: 12 events, 9 users. Suspect commit c3c3c3c3 “Totals” by Grace.',
    ])
    assert.deepEqual(
      [sentences[2]?.code, sentences[2]?.link?.to],
      ['total in src/cart/total.ts', '/acme/shop/issues/SHOP-1'],
    )
  })

  it('is calm where nothing is new or all of it is resolved', () => {
    const none = { new: 0, regressed: 0, noise: 0, top: [], suspect: undefined }
    assert.deepEqual(told(issueSentences(PLACE, RELEASE, none)), [
      'good: No new errors and no regressions in shop@2.',
    ])
    assert.deepEqual(told(issueSentences(PLACE, undefined, none)), [
      'good: No new errors and no regressions in the last 7 days.',
    ])
    const resolved = { ...issue, status: 'resolved' as const, users: 0, metadata: {} }
    const sentences = issueSentences(PLACE, RELEASE, { ...none, new: 1, top: [resolved] })
    assert.deepEqual(told(sentences), [
      'plain: 1 new issue in shop@2.',
      'plain: TypeError: x is undefined: 12 events, resolved.',
    ])
    assert.equal(sentences[1]?.code, 'checkout')
    const slow = { ...issue, level: 'info' as const }
    assert.equal(issueSentences(PLACE, RELEASE, { ...none, new: 1, top: [slow] })[0]?.tone, 'attention')
  })
})

describe('what the overview says of navigations', () => {
  const health: NavigationHealth = {
    count: 400,
    samples: 400,
    troubled: { count: 40, estimate: { value: 0.1, low: 0.074, high: 0.133 } },
    hung: { count: 12, estimate: { value: 0.03, low: 0.017, high: 0.052 } },
    troubledUsers: 38,
    worst: {
      from: '/cart',
      to: '/checkout',
      waitingFor: '/api/cart',
      count: 12,
      hung: 12,
      left: 0,
      shownLate: 0,
      users: 12,
      medianMs: 6_200,
      maxMs: 9_000,
      lastMs: NOW_MS,
      navigationId: '',
      traceId: '',
    },
  }
  it('is a share with its interval, for whom, and where most', () => {
    const sentences = navigationSentences(PLACE, 'shop@2', health)
    assert.deepEqual(told(sentences), [
      'bad: 40 of 400 navigations in shop@2 failed, hung or were abandoned (10.0%, 95% interval 7.4% to 13.3%), for 38 users.',
      'bad: 12 of them hung for more than 5 seconds (3.0%, 95% interval 1.7% to 5.2%).',
      'bad: Most often from /cart to /checkout, waiting for /api/cart: 12 navigations, median wait 6.2 s.',
    ])
    assert.equal(sentences[2]?.link?.to, '/acme/shop/navigations?from=%2Fcart&to=%2Fcheckout')
  })

  it('says what a calm one rules out, when they are too few, and nothing where nobody tells them', () => {
    const none = { count: 0, estimate: { value: 0, low: 0, high: 0.009 } }
    const calm = { ...health, troubled: none, hung: none, troubledUsers: 0, worst: undefined }
    assert.deepEqual(told(navigationSentences(PLACE, 'shop@2', calm)), [
      'good: None of 400 navigations in shop@2 failed, hung or was abandoned (95% interval up to 0.9%).',
    ])
    const few = { ...calm, count: 20, samples: 20, troubled: { count: 2, estimate: undefined } }
    assert.deepEqual(told(navigationSentences(PLACE, undefined, few)), [
      'attention: 2 of 20 navigations in the last 7 days failed, hung or were abandoned (10.0%). About 10 more are needed to say how certain that is.',
    ])
    assert.deepEqual(navigationSentences(PLACE, 'shop@2', { ...calm, count: 0 }), [])
  })
})

describe('what the overview says of vitals', () => {
  const moved = { worse: [], better: [], compared: 3, tooFew: 0, samples: 900 }
  const of = (more: object) =>
    told(
      vitalSentences(PLACE, {
        kind: 'release',
        release: 'shop@2',
        before: 'shop@1',
        moved: { ...moved, ...more },
      }),
    )
  it('names each route that moved with its interval, and says when none did or it cannot be told', () => {
    const slower = {
      route: '/cart',
      name: 'lcp' as const,
      samples: [400, 380] as const,
      by: 0.7,
      low: 0.5,
      high: 0.9,
    }
    const faster = { ...slower, route: '/search', by: -0.4, low: -0.5, high: -0.3 }
    assert.deepEqual(of({ worse: [slower], better: [faster] }), [
      'bad: LCP of /cart is slower: +70.0%, 95% interval +50.0% to +90.0%, from 400 page loads and 380 before.',
      'good: LCP of /search is faster: −40.0%, 95% interval −50.0% to −30.0%, from 400 page loads and 380 before.',
    ])
    assert.deepEqual(of({ worse: [slower, slower, slower, slower, slower] }).slice(3), [
      'bad: 2 more got slower.',
    ])
    assert.deepEqual(of({ tooFew: 2 }), [
      'good: No route is measurably slower or faster than in shop@1: 3 routes compared. 2 routes of few page loads cannot be compared yet.',
    ])
    assert.match(
      of({ compared: 0, tooFew: 4 })[0] ?? '',
      /^plain: Too few page loads to compare routes with shop@1/,
    )
    assert.deepEqual(of({ samples: 0 }), [])
  })

  it('compares with the time before where there are no two releases', () => {
    const change = { kind: 'known', by: 0.3, low: 0.1, high: 0.5 } as const
    const week = (changes: readonly object[]) =>
      told(vitalSentences(PLACE, { kind: 'week', changes: changes as never }))
    assert.deepEqual(week([{ name: 'cls', samples: [90, 80], change }]), [
      'bad: CLS shifts more than in the time before: +30.0%, 95% interval +10.0% to +50.0%, from 90 page loads and 80 before.',
    ])
    assert.deepEqual(week([{ name: 'lcp', samples: [90, 80], change: { ...change, low: -0.1 } }]), [
      'good: Web vitals are as in the time before: LCP.',
    ])
    assert.match(
      week([{ name: 'lcp', samples: [9, 8], change: { kind: 'few' } }])[0] ?? '',
      /^plain: Too few/,
    )
    assert.deepEqual(week([]), [])
  })
})

describe('what the overview says of alerts and of what is not measured', () => {
  const quiet = { open: [], openCount: 0, channels: 0, people: 0, sent: 0, failed: 0, rules: 2 }
  it('says what is open, who was told, and that nobody would be', () => {
    assert.deepEqual(told(alertSentences(PLACE, 'shop@2', quiet, true)), [
      'good: Since shop@2, nobody was told of anything; 2 alert rules are on.',
    ])
    const none = alertSentences(PLACE, undefined, { ...quiet, rules: 0 }, true)
    assert.deepEqual(
      [told(none), none[0]?.link?.to],
      [['attention: No alert rule is on, so nobody is told when something breaks.'], '/acme/shop/alerts/new'],
    )
    const open = [{ id: 7, ruleName: 'Busy', issue: undefined, startedMs: NOW_MS, acknowledgedBy: '' }]
    const busy = { ...quiet, open, openCount: 3, channels: 1, people: 2, sent: 5, failed: 1 }
    assert.deepEqual(told(alertSentences(PLACE, 'shop@2', busy, false)), [
      'bad: 3 incidents are open, the newest: “Busy”; nobody has acknowledged it. Began',
      'bad: 1 message could not be delivered.',
      'plain: Since shop@2, 5 messages went to 1 channel and 2 people.',
    ])
  })

  it('leads to the one that is open, and is calmer once somebody has it', () => {
    const issue = { shortId: 'SHOP-1' } as never
    const open = [{ id: 7, ruleName: 'Busy', issue, startedMs: NOW_MS, acknowledgedBy: 'Ann' }]
    const [one] = alertSentences(PLACE, 'shop@2', { ...quiet, open, openCount: 1 }, false)
    assert.deepEqual(
      [one?.tone, one?.text, one?.link?.to],
      [
        'attention',
        'An incident is open: “Busy”, SHOP-1; Ann has acknowledged it. Began',
        '/acme/shop/alerts/incidents/7',
      ],
    )
  })

  it('names the add-on where only a stock Sentry SDK sends, and leads to how', () => {
    const absent = ['failed_navigations', 'hung_navigations', 'crashed_sessions'] as const
    const sentences = unknownSentences(PLACE, { ...JUDGED, absent }, { count: 0 })
    assert.deepEqual(told(sentences), [
      'plain: Outcomes of navigations are not known: Sonde’s SDK or @sonde/sentry-integration sends them.',
      'plain: No sessions were received of either release, so there are no crash-free rates.',
    ])
    assert.deepEqual(sentences[0]?.link, { to: '/acme/shop/navigations', name: 'How to send them' })
    assert.deepEqual(unknownSentences(PLACE, undefined, { count: 4 }), [])
    assert.equal(unknownSentences(PLACE, undefined, { count: 0 }).length, 1)
  })
})

describe('the order of an overview', () => {
  it('has the release first, then what is wrong, and what is not measured last', () => {
    const section = (id: OverviewSection['id'], tone: OverviewSection['tone']): OverviewSection => ({
      id,
      title: id,
      tone,
      sentences: [],
    })
    assert.deepEqual(
      sortedSections([
        section('unknown', 'plain'),
        section('errors', 'good'),
        section('navigations', 'attention'),
        section('vitals', 'plain'),
        section('alerts', 'bad'),
        section('release', 'plain'),
      ]).map(({ id }) => id),
      ['release', 'alerts', 'navigations', 'errors', 'vitals', 'unknown'],
    )
    assert.equal(worstTone([{ tone: 'good' }, { tone: 'attention' }]), 'attention')
    assert.equal(worstTone([]), 'plain')
  })
})
