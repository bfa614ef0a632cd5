/** What a project was sent and did not cause: exact numbers by class and reason, with examples. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { type NoiseLedger, noiseLedger } from '@sonde/queries'
import { encodeOutcomeRow, type OutcomeFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'

const HOUR_MS = 60 * MINUTE_MS
const window = { fromMs: NOW_MS - 3 * HOUR_MS, toMs: NOW_MS }

describe('the noise of a project', () => {
  let harness: Harness
  let shop: ProjectGrant
  let other: ProjectGrant
  let ids: readonly number[]
  let ledger: NoiseLedger
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    other = await harness.project(org, 'other')
    ids = await harness.issues(shop.projectId, [{ title: 'Wallet' }, { title: 'Own' }])
    const [wallet = 0, own = 0] = ids
    const tags = {
      'noise.class': 'extension',
      'noise.rule': 'extension_frame',
      'noise.match': 'chrome-extension://abc',
    }
    const at = { timestampMs: NOW_MS - HOUR_MS, receivedMs: NOW_MS - HOUR_MS }
    await harness.events(shop.projectId, wallet, [
      { ...at, tags, userKey: 'id:1', leftOut: 40, leftOutUsers: [crc32('id:2'), crc32('id:1')] },
      { ...at, receivedMs: NOW_MS - 2 * HOUR_MS, tags: { ...tags, 'noise.rule': 'extension_message' } },
      { ...at, receivedMs: NOW_MS - 9 * HOUR_MS, tags },
    ])
    await harness.events(shop.projectId, own, [{ ...at }, { ...at }])
    const counted: readonly Partial<OutcomeFields>[] = [
      { outcome: 'accepted', quantity: 4 },
      { outcome: 'filtered', reason: 'thinned', quantity: 40 },
      { outcome: 'filtered', reason: 'noise:bot', quantity: 7 },
      { outcome: 'filtered', reason: 'crawler', quantity: 3 },
      { outcome: 'filtered', reason: 'browser_extension', quantity: 2 },
      { outcome: 'filtered', reason: 'sampled:/a', category: 'span', quantity: 900 },
      { outcome: 'rate_limited', reason: 'project_quota', quantity: 5 },
      { outcome: 'client_discard', reason: 'before_send', quantity: 6 },
      { outcome: 'accepted', quantity: 50, atMs: NOW_MS - 9 * HOUR_MS },
    ]
    await harness.telemetry.insert(
      'outcomes',
      counted.map((fields) =>
        encodeOutcomeRow({
          atMs: NOW_MS - HOUR_MS,
          projectId: shop.projectId,
          keyId: 1,
          category: 'error',
          outcome: 'accepted',
          reason: '',
          quantity: 1,
          ...fields,
        }),
      ),
      'noise',
    )
    ledger = await noiseLedger(harness.deps, shop, window)
  })
  after(() => harness.close())

  it('is counted exactly, by what became of it', () => {
    assert.deepEqual(ledger.totals, { kept: 4, thinned: 40, dropped: 12, refused: 5, discarded: 6 })
  })

  it('is told by class, with what Sentry’s filters dropped of it', () => {
    const [extension, bot, ...rest] = ledger.classes
    assert.deepEqual(
      { ...extension, examples: [] },
      {
        name: 'extension',
        kept: 2,
        thinned: 40,
        dropped: 2,
        issues: 1,
        users: 2,
        rules: [
          { rule: 'extension_frame', events: 41 },
          { rule: 'extension_message', events: 1 },
        ],
        examples: [],
      },
    )
    assert.deepEqual([bot?.name, bot?.kept, bot?.dropped], ['bot', 0, 10])
    assert.ok(rest.every(({ kept, thinned, dropped }) => kept + thinned + dropped === 0))
    assert.equal(rest.length, 7, 'every class is there')
  })

  it('has its newest events, the last received first', () => {
    const [first, second, ...more] = ledger.classes[0]?.examples ?? []
    assert.deepEqual(
      [first?.rule, first?.match, first?.issueId],
      ['extension_frame', 'chrome-extension://abc', ids[0]],
    )
    assert.equal(second?.rule, 'extension_message')
    assert.deepEqual(more, [])
  })

  it('has every reason of an event that was not stored, and none of other kinds', () => {
    assert.deepEqual(
      ledger.reasons.map(({ outcome, reason, quantity }) => [outcome, reason, quantity]),
      [
        ['filtered', 'thinned', 40],
        ['filtered', 'noise:bot', 7],
        ['client_discard', 'before_send', 6],
        ['rate_limited', 'project_quota', 5],
        ['filtered', 'crawler', 3],
        ['filtered', 'browser_extension', 2],
      ],
    )
  })

  it('is that of the project alone', async () => {
    const { totals, reasons } = await noiseLedger(harness.deps, other, window)
    assert.deepEqual(totals, { kept: 0, thinned: 0, dropped: 0, refused: 0, discarded: 0 })
    assert.deepEqual(reasons, [])
  })
})
