import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adoptionChartSeries, adoptionShare } from '../../src/routes/[org]/[project]/releases/adoption.ts'
import { comparedWindow } from '../../src/routes/[org]/[project]/releases/compared-releases.server.ts'
import {
  crashFreeText,
  crashRateSeries,
  formatCrashFree,
} from '../../src/routes/[org]/[project]/releases/health.ts'
import {
  newDeploy,
  newRelease,
  setCommits,
} from '../../src/routes/[org]/[project]/releases/release-commands.ts'
import {
  readReleaseSearch,
  withReleaseParams,
} from '../../src/routes/[org]/[project]/releases/release-search.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 0, 31)

test('the address of the list is read as far as it can be, and begins anew when it is narrowed', () => {
  const read = (text: string) => readReleaseSearch(new URLSearchParams(text))
  assert.deepEqual(read('query=+4.1+&order=last&archived=1&page=3'), {
    query: '4.1',
    order: 'last',
    withArchived: true,
    page: 3,
  })
  assert.deepEqual(read('order=size&page=0'), { query: '', order: 'version', withArchived: false, page: 1 })
  assert.equal(read('page=1e9').page, 1000)
  const here = new URLSearchParams('query=a&page=3&statsPeriod=7d')
  assert.equal(withReleaseParams(here, { query: undefined, order: 'last' }), '?statsPeriod=7d&order=last')
  assert.equal(withReleaseParams(new URLSearchParams('page=2'), {}), '')
})

test('adoption is a share of what there is, and nothing of nothing', () => {
  const counts = (visits: number, events: number) => ({ visits, transactions: 0, events, users: 0 })
  const share = adoptionShare('visits', counts(1, 9), counts(300, 10))
  assert.deepEqual([share?.text, share?.title], ['<1%', '1 of 300 page loads and navigations in this period'])
  assert.equal(adoptionShare('events', counts(0, 9), counts(0, 10))?.text, '90%')
  assert.equal(adoptionShare('visits', undefined, counts(300, 10))?.text, '0%')
  assert.equal(adoptionShare(undefined, undefined, counts(0, 0)), undefined)
})

test('the chart has a gap where nothing happened, and only the deploys of its time', () => {
  const series = adoptionChartSeries(
    {
      interval: '1h',
      stepMs: 10,
      fromMs: 0,
      toMs: 30,
      startsMs: [0, 10, 20],
      basis: 'visits',
      counts: [4, 0, 2],
      releases: [
        { release: 'b', counts: [1, 0, 2] },
        { release: 'a', counts: [3, 0, 0] },
      ],
    },
    [
      { release: 'a', atMs: -1, deployedTo: 'production' },
      { release: 'b', atMs: 0, deployedTo: 'production' },
      { release: 'c', atMs: 30, deployedTo: 'production' },
    ],
  )
  assert.deepEqual(
    series.lines.map(({ name, values }) => [name, values]),
    [
      ['b', [0.25, null, 1]],
      ['a', [0.75, null, 0]],
    ],
  )
  assert.deepEqual(
    series.markers.map((marker) => 'release' in marker && marker.release),
    ['b'],
  )
  assert.equal(series.total, 6)
})

test('two releases are compared in the time that is said, at most 90 days of it', () => {
  const window = (text: string) => comparedWindow(new URLSearchParams(text), NOW_MS)
  const spanDays = (text: string): number => Math.round((window(text).toMs - window(text).fromMs) / DAY_MS)
  assert.equal(spanDays(''), 90)
  assert.equal(spanDays('statsPeriod=24h'), 1)
  assert.equal(spanDays('statsPeriod=365d'), 90)
  assert.ok(window('').toMs > NOW_MS)
  assert.deepEqual(window('environment=prod&start=2026-01-01T00:00&end=2026-01-02T00:00'), {
    fromMs: Date.UTC(2026, 0, 1),
    toMs: Date.UTC(2026, 0, 2),
    environment: ['prod'],
  })
})

test('commands are for this project, and a version is one word of the shell whatever stands in it', () => {
  const place = { url: 'https://sonde.example', org: 'acme', project: 'shop' }
  for (const command of [newRelease(place), setCommits(place, 'a'), newDeploy(place, 'a')])
    assert.match(
      command,
      /^export SENTRY_URL=https:\/\/sonde\.example SENTRY_ORG=acme SENTRY_PROJECT=shop\nexport SENTRY_AUTH_TOKEN=…\n/,
    )
  assert.match(setCommits(place, `it's 1`), /--auto 'it'\\''s 1'$/)
  assert.match(newDeploy(place, '$(rm -rf ~)'), /--release '\$\(rm -rf ~\)' --env production$/)
})

test('a share without a crash is rounded down, and of too few it is said so', () => {
  assert.deepEqual([1, 0.99996, 0.9999, 0.99, 0.9879, 0.5, 0.29, 0].map(formatCrashFree), [
    '100%',
    '99.99%',
    '99.99%',
    '99%',
    '98.7%',
    '50%',
    '29%',
    '0%',
  ])
  assert.deepEqual(crashFreeText('few', { all: 12, crashed: 1 }, 'user'), {
    text: 'too few',
    title: '1 of 12 users crashed: a share needs 30 users or more',
    isFew: true,
  })
  const known = crashFreeText({ value: 0.99, low: 0.98, high: 0.995 }, { all: 1000, crashed: 10 }, 'session')
  assert.equal(known?.text, '99%')
  assert.equal(known.title, '10 of 1k sessions crashed; between 98% and 99.5% (95% interval)')
  assert.equal(crashFreeText(undefined, { all: 0, crashed: 0 }, 'user'), undefined)
})

test('the share of crashed sessions has a gap where none began, beside that of the release before', () => {
  const window = { interval: '1m', stepMs: 10, fromMs: 0, toMs: 30, startsMs: [0, 10, 20] } as const
  const chart = crashRateSeries(
    {
      release: undefined,
      total: undefined,
      environments: [],
      series: { ...window, sessions: [4, 0, 2], crashed: [1, 0, 0] },
      before: { sessions: [0, 5, 0], crashed: [0, 5, 0] },
    },
    { release: 'b', before: 'a' },
    [],
  )
  assert.deepEqual(
    chart.lines.map(({ name, values }) => [name, values]),
    [
      ['b', [0.25, null, 0]],
      ['a', [null, 1, null]],
    ],
  )
  assert.equal(chart.total, 6)
})
