import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { projectKeys, projectKeyUsage, projectRefusals, projectSettings, receivedData } from '@sonde/queries'
import { DEFAULT_PROJECT_SETTINGS, encodeOutcomeRow } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

const HOUR_MS = 60 * MINUTE_MS

describe('the settings screen', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  let other: ProjectGrant
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    other = await harness.project(acme, 'other')
    const row = (
      projectId: number,
      keyId: number,
      outcome: string,
      quantity: number,
      agoMs = 0,
      reason = '',
    ) =>
      encodeOutcomeRow({
        atMs: NOW_MS - agoMs,
        projectId,
        keyId,
        category: 'error',
        outcome,
        reason,
        quantity,
      })
    const { projectId } = shop
    const rows = [
      row(projectId, 1, 'accepted', 5),
      row(projectId, 1, 'accepted', 7, 2 * HOUR_MS),
      row(projectId, 1, 'filtered', 2, 2 * HOUR_MS),
      row(projectId, 1, 'rate_limited', 3, 23 * HOUR_MS),
      row(projectId, 1, 'invalid', 1),
      row(projectId, 1, 'client_discard', 50),
      row(projectId, 1, 'accepted', 1_000, 25 * HOUR_MS),
      row(projectId, 2, 'unsupported', 4, MINUTE_MS),
      row(other.projectId, 1, 'accepted', 1_000),
      row(other.projectId, 1, 'rate_limited', 30, 3 * MINUTE_MS, 'project_quota'),
      row(other.projectId, 2, 'rate_limited', 12, 9 * HOUR_MS, 'project_quota'),
      row(other.projectId, 1, 'rate_limited', 500, MINUTE_MS, 'key_quota'),
      row(other.projectId, 1, 'rate_limited', 7, 3 * MINUTE_MS, 'spike_events'),
      row(other.projectId, 1, 'rate_limited', 3, 2 * MINUTE_MS, 'spike_spans'),
      row(other.projectId, 2, 'rate_limited', 2, HOUR_MS, 'spike_bytes'),
      row(other.projectId, 1, 'rate_limited', 4, MINUTE_MS, 'span_cap'),
      row(other.projectId, 2, 'rate_limited', 5, 2 * MINUTE_MS, 'span_burst'),
      row(other.projectId, 1, 'rate_limited', 500, 25 * HOUR_MS, 'project_quota'),
    ]
    await harness.telemetry.insert('outcomes', rows, 'usage')
  })
  after(() => harness.close())

  it('counts what came with each key within a day, and when the last of it came', async () => {
    const usage = await projectKeyUsage(harness.deps, shop)
    assert.deepEqual(
      [...usage.keys()].toSorted((a, b) => a - b),
      [1, 2],
    )
    const { hourly, lastMs, ...sums } = usage.get(1) ?? { hourly: [], lastMs: 0 }
    assert.deepEqual(sums, { accepted: 12, filtered: 2, rateLimited: 3, other: 1 })
    assert.equal(hourly.length, 24)
    assert.deepEqual([hourly[0], hourly[21], hourly[23]], [3, 9, 6])
    assert.equal(lastMs, NOW_MS)
    assert.equal(usage.get(2)?.other, 4)
    assert.equal(usage.get(2)?.lastMs, NOW_MS - MINUTE_MS)
  })

  it('sums what was received by category, with the kinds that nobody knows by SDK', async () => {
    const third = await harness.project(acme, 'third')
    const { projectId } = third
    const row = (category: string, outcome: string, reason: string, quantity: number, agoMs = 0) =>
      encodeOutcomeRow({ atMs: NOW_MS - agoMs, projectId, keyId: 1, category, outcome, reason, quantity })
    const unknown = (kind: string, sdk: string) => `unknown_kind:${kind}:${sdk}`
    await harness.telemetry.insert(
      'outcomes',
      [
        row('log_item', 'accepted', '', 70),
        row('log_item', 'rate_limited', 'project_quota', 5),
        row('error', 'accepted', '', 3),
        row('error', 'accepted', '', 900, 8 * 24 * HOUR_MS),
        row('default', 'unsupported', unknown('hologram', 'sentry.javascript.browser'), 4),
        row('default', 'unsupported', unknown('hologram', 'sentry.python'), 9),
        row('default', 'unsupported', 'internal_kind', 1),
      ],
      'received',
    )
    const { categories, unknownKinds } = await receivedData(harness.deps, third, { days: 7 })
    assert.deepEqual(
      categories.map(({ category, counts }) => [
        category,
        counts.accepted,
        counts.rate_limited,
        counts.unsupported,
      ]),
      [
        ['log_item', 70, 5, 0],
        ['default', 0, 0, 14],
        ['error', 3, 0, 0],
      ],
    )
    assert.deepEqual(unknownKinds, [
      { kind: 'hologram', sdk: 'sentry.python', items: 9 },
      { kind: 'hologram', sdk: 'sentry.javascript.browser', items: 4 },
    ])
  })

  it('says how much was over the limit of the project, and came from foreign pages', async () => {
    assert.deepEqual(await projectRefusals(harness.deps, other), {
      overLimit: { quantity: 42, lastMs: NOW_MS - 3 * MINUTE_MS },
      overSpikes: { quantity: 12, lastMs: NOW_MS - 2 * MINUTE_MS },
      overSpanCaps: { quantity: 9, lastMs: NOW_MS - MINUTE_MS },
      foreignPages: { quantity: 0, lastMs: undefined },
    })
  })

  it('of a project that received nothing is empty', async () => {
    const quiet = await harness.project(acme, 'quiet')
    assert.equal((await projectKeyUsage(harness.deps, quiet)).size, 0)
    const settings = await projectSettings(harness.deps, quiet)
    assert.deepEqual(settings?.filters, DEFAULT_PROJECT_SETTINGS.filters)
    assert.equal(settings?.rateLimit, undefined)
    assert.deepEqual(settings?.allowedDomains, [])
  })

  it('a damaged row shows the defaults; a deleted project is undefined', async () => {
    await harness.db
      .insertInto('project_setting')
      .values({
        project_id: other.projectId,
        value: '{"filters":{"localhost":true,"releases":',
        rate_limit_count: 5,
        rate_limit_window_sec: 60,
        updated_ms: 1,
      })
      .execute()
    const settings = await projectSettings(harness.deps, other)
    assert.equal(settings?.filters.localhost, false)
    assert.deepEqual(settings?.rateLimit, { count: 5, windowSec: 60 })
    await harness.db.deleteFrom('project').where('id', '=', other.projectId).execute()
    assert.equal(await projectSettings(harness.deps, other), undefined)
  })

  it('a rotated key is active until its time', async () => {
    const key = (public_key: string, active_until_ms: number) => ({
      project_id: shop.projectId,
      public_key,
      label: 'Web',
      rate_limit_count: null,
      rate_limit_window_sec: null,
      created_ms: 1,
      active_until_ms,
    })
    const keys = [key('a'.repeat(32), NOW_MS), key('b'.repeat(32), NOW_MS + 1)]
    await harness.db.insertInto('project_key').values(keys).execute()
    const rows = await projectKeys(harness.deps, shop)
    assert.deepEqual(
      rows.map((row) => [row.isActive, row.activeUntilMs]),
      [
        [false, NOW_MS],
        [true, NOW_MS + 1],
      ],
    )
  })
})
