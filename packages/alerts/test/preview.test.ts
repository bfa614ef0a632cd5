/** What a rule would have told in the last two weeks. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ISSUE_RULE, METRIC_RULE, type MetricRuleInput, previewIssues, previewMetric } from '../src/index.ts'
import { firedBy } from '../src/preview/preview-issues.ts'
import { stepMinutesOf } from '../src/preview/preview-steps.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const actions = [{ type: 'members' as const }]

describe('a preview', () => {
  let harness: Harness
  let grant: Parameters<typeof previewMetric>[1]
  let projectId = 0
  let issue = { id: 0, eventId: '', shortId: 0 }
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('shop')
    projectId = shop.id
    issue = await harness.issue(shop.id, {
      receivedMs: NOW_MS - 20 * DAY_MS,
      timestampMs: NOW_MS - 20 * DAY_MS,
    })
    grant = await harness.deps.access.openProject(
      operatorViewer,
      String(shop.orgId),
      String(shop.id),
      'event:read',
    )
    const at = (ms: number) => ({ receivedMs: ms, timestampMs: ms })
    // Two bursts, a day apart, among single events, as there were a week before.
    for (const ago of [3 * DAY_MS, 2 * DAY_MS])
      await harness.events(shop.id, issue.id, 30, at(NOW_MS - ago + 2 * MINUTE_MS))
    for (const days of [2, 3, 9, 10])
      for (const hours of [-2, -1, 0, 1, 2])
        await harness.events(shop.id, issue.id, 1, at(NOW_MS - days * DAY_MS + hours * HOUR_MS + MINUTE_MS))
  })
  after(() => harness.close())

  const errors = (more: Partial<MetricRuleInput> = {}) =>
    METRIC_RULE.parse({
      metric: { source: 'errors', measure: 'count()', search: '' },
      windowMinutes: 5,
      trigger: 10,
      actions,
      ...more,
    } satisfies MetricRuleInput)

  it('of a metric: each time that it opens, with its end, on a chart of the worst windows', async () => {
    const preview = await previewMetric(harness.deps, grant, errors())
    assert.deepEqual(
      preview.firings.map(({ atMs, endMs, value }) => [NOW_MS - atMs, NOW_MS - (endMs ?? 0), value]),
      [
        [2 * DAY_MS - 5 * MINUTE_MS, 2 * DAY_MS - 10 * MINUTE_MS, 31],
        [3 * DAY_MS - 5 * MINUTE_MS, 3 * DAY_MS - 10 * MINUTE_MS, 31],
      ],
    )
    assert.equal(preview.fired, 2)
    assert.equal(preview.values.length, 14 * 12)
    assert.equal(preview.values.filter((value) => value === 31).length, 2)
    assert.deepEqual([...new Set(preview.thresholds)], [10])
    assert.equal(preview.total, 60 + 20)
  })

  it('against the week before, against the usual, with too few rows, and only within its hours', async () => {
    const fired = async (more: Partial<MetricRuleInput>): Promise<number> =>
      (await previewMetric(harness.deps, grant, errors(more))).fired
    assert.equal(await fired({ compare: 'change', trigger: 200, windowMinutes: 60 }), 2)
    assert.equal(await fired({ compare: 'change', trigger: 5_000, windowMinutes: 60 }), 0)
    assert.equal(await fired({ minSample: 100 }), 0)
    const schedule = { timeZone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], fromMinute: 0, toMinute: 60 }
    assert.equal(await fired({ schedule }), 0)
    assert.equal(await fired({ trigger: 1_000 }), 0)
  })

  it('of issues: what was counted and what changed', async () => {
    const counted = ISSUE_RULE.parse({ triggers: [{ type: 'events', count: 20, minutes: 30 }], actions })
    const preview = await previewIssues(harness.deps, grant, counted)
    assert.deepEqual(
      preview.firings.map(({ kind, count, issue: { id } }) => [kind, count, id]),
      [
        ['events', 31, issue.id],
        ['events', 31, issue.id],
      ],
    )
    assert.equal(
      preview.counts.reduce((sum, count) => sum + count, 0),
      2,
    )
    await harness.change(projectId, issue.id, 'regressed', issue.eventId)
    const changed = ISSUE_RULE.parse({
      triggers: [{ type: 'regressed' }],
      actions,
      search: 'environment:production',
    })
    assert.equal((await previewIssues(harness.deps, grant, changed)).total, 1)
    assert.equal(
      (await previewIssues(harness.deps, grant, { ...changed, search: 'environment:no' })).total,
      0,
    )
  })
})

describe('incidents of issues', () => {
  const triggers = [{ type: 'new' as const }, { type: 'events' as const, count: 1, minutes: 1 }]
  const change = (kind: 'new' | 'resolved' | 'regressed', atMs: number) => ({ issueId: 1, kind, atMs })
  const busy = (fromMs: number, toMs: number, kind: 'events' | 'users' = 'events') => ({
    issueId: 1,
    kind,
    fromMs,
    toMs,
    count: 2,
  })
  const times = (
    rule: Omit<Parameters<typeof firedBy>[0], 'environment'>,
    ...given: [changes: Parameters<typeof firedBy>[1], runs: Parameters<typeof firedBy>[2]]
  ) => firedBy({ environment: '', ...rule }, ...given).map(({ kind, atMs }) => `${kind} ${atMs}`)

  it('one at a time: one that changed lasts until it is resolved, one that is busy until it is calm', () => {
    const changes = [change('new', 1), change('new', 2), change('resolved', 5), change('new', 6)]
    assert.deepEqual(times({ triggers }, changes, [busy(3, 4)]), ['new 1', 'new 6'])
    assert.deepEqual(times({ triggers }, [], [busy(3, 4), busy(4, 6), busy(8, 9)]), ['events 3', 'events 8'])
    const both = [...triggers, { type: 'users' as const, count: 1, minutes: 1 }]
    assert.deepEqual(times({ triggers: both }, [], [busy(1, 5), busy(3, 8, 'users'), busy(7, 9)]), [
      'events 1',
    ])
    assert.deepEqual(times({ triggers }, [change('regressed', 1)], []), [])
  })

  it('steps divide the window', () => {
    for (const minutes of [1, 5, 10, 15, 30, 37, 60, 120, 240, 1_440, 10_080]) {
      const step = stepMinutesOf(minutes)
      assert.equal(minutes % step, 0)
      assert.ok(minutes / step <= 6, String(minutes))
    }
  })
})
