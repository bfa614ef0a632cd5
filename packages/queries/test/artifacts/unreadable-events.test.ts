import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unreadableEvents } from '@sonde/queries'
import { openHarness, MINUTE_MS, NOW_MS } from '../harness.ts'

test('unreadable events are counted by reason and release, each with its latest event', async (t) => {
  const harness = await openHarness()
  t.after(() => harness.close())
  const acme = await harness.org('acme')
  const shop = await harness.project(acme, 'shop')
  const api = await harness.project(acme, 'api')
  const [one = 0, two = 0] = await harness.issues(shop.projectId, [{}, {}])
  const at = (minutes: number) => ({ timestampMs: NOW_MS - minutes * MINUTE_MS })
  await harness.events(shop.projectId, one, [
    { ...at(1), unreadable: 'no_artifact', release: 'shop@2' },
    { ...at(5) },
    { ...at(90), unreadable: 'no_artifact', release: 'shop@1' },
  ])
  const [, latest] = await harness.events(shop.projectId, two, [
    { ...at(9), unreadable: 'other_dist', release: 'shop@1' },
    { ...at(2), unreadable: 'other_dist', release: 'shop@1' },
  ])
  await harness.events(api.projectId, one, [{ ...at(1), unreadable: 'no_map' }])
  const answer = await unreadableEvents(harness.deps, shop, {
    fromMs: NOW_MS - 60 * MINUTE_MS,
    toMs: NOW_MS,
  })
  assert.deepEqual([answer.events, answer.unreadable], [4, 3])
  assert.deepEqual(
    answer.groups.map(({ reason, release, events, example }) => [reason, release, events, example.issue]),
    [
      ['other_dist', 'shop@1', 2, 'SHOP-2'],
      ['no_artifact', 'shop@2', 1, 'SHOP-1'],
    ],
  )
  assert.equal(answer.groups[0]?.example.eventId, latest)
  assert.equal(answer.groups[0]?.lastMs, NOW_MS - 2 * MINUTE_MS)
})
