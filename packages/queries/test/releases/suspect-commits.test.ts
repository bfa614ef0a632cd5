import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { suspectCommits } from '@sonde/queries'
import { findSuspectCommits } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { releaseFixture } from './release-fixture.ts'

/** The last frame is where it was thrown. */
const thrown = (frames: readonly object[], more: object = {}): NormalizedEvent =>
  ({
    timestamp: NOW_MS / 1000,
    exception: [
      { type: 'Error', stacktrace: { frames: frames.map((frame) => ({ in_app: true, ...frame })) } },
    ],
    ...more,
  }) as unknown as NormalizedEvent

let harness: Harness
let shop: ProjectGrant
let issueIds: number[]

const suspects = (index: number, event: NormalizedEvent, limit = 3) =>
  suspectCommits(harness.deps, shop, { issueId: issueIds[index] ?? 0, event, limit })

const EVENT = thrown([
  { filename: 'src/cart/discount.ts', function: 'applyDiscount', lineno: 31 },
  { filename: 'src/cart/total.ts', function: 'totalOf', lineno: 42 },
])

describe('suspect commits', () => {
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    const release = releaseFixture(harness, org.orgId)
    await release({
      version: 'shop@2',
      projects: [shop],
      firstEventMs: NOW_MS - 10,
      commits: [
        {
          sha: 'new',
          author: 'Grace',
          message: 'discounts',
          atMs: NOW_MS - 1,
          files: ['src/cart/discount.ts'],
        },
        {
          sha: 'near',
          author: 'Ada',
          atMs: NOW_MS - 2,
          files: ['web/src/cart/total.ts', 'src/cart/discount.ts'],
        },
        {
          sha: 'other',
          atMs: NOW_MS - 3,
          files: ['src/other/discount.ts', 'total.ts', 'src/cart/total.tsx'],
        },
      ],
    })
    await release({
      version: 'shop@1',
      projects: [shop],
      firstEventMs: NOW_MS - 20,
      commits: [{ sha: 'old', files: ['src/cart/total.ts'] }],
    })
    await release({ version: 'shop@3', projects: [shop], firstEventMs: NOW_MS, commits: [] })
    issueIds = []
    for (const [index, row] of [
      { first_release: 'shop@2' },
      { first_release: 'shop@1', regressed_release: 'shop@2' },
      { first_release: '' },
      { first_release: 'shop@never-told' },
    ].entries())
      issueIds.push(...(await harness.issues(shop.projectId, [{ short_number: index + 1, ...row }])))
  })

  after(() => harness.close())

  it('are those that changed a file on the stack, nearest to the throw first, each once', async () => {
    const found = await suspects(0, EVENT)
    assert.equal(found?.release, 'shop@2')
    assert.deepEqual(
      found.commits.map(({ sha, path, frame, function: name, line }) => [sha, path, frame, name, line]),
      [
        ['near', 'web/src/cart/total.ts', 0, 'totalOf', 42],
        ['new', 'src/cart/discount.ts', 1, 'applyDiscount', 31],
      ],
    )
    assert.deepEqual(
      (await suspects(0, EVENT, 1))?.commits.map(({ sha }) => sha),
      ['near'],
    )
  })

  it('are of the release that brought it back, and none where no release is known', async () => {
    assert.equal((await suspects(1, EVENT))?.release, 'shop@2')
    assert.equal(await suspects(2, EVENT), undefined)
    assert.deepEqual((await suspects(3, EVENT))?.commits, [])
    const elsewhere = await harness.project(await harness.org('other'), 'shop')
    const input = { issueId: issueIds[0] ?? 0, event: EVENT, limit: 3 }
    assert.equal(await suspectCommits(harness.deps, elsewhere, input), undefined)
  })

  it('are of a release before where that which brought it has none, and not older than a year', async () => {
    const input = { orgId: shop.orgId, projectId: shop.projectId, event: EVENT, limit: 3 }
    const before = await findSuspectCommits(harness.db, { ...input, release: 'shop@3' })
    assert.deepEqual([before.release, before.commits.map(({ sha }) => sha)], ['shop@2', ['near', 'new']])
    const late = { ...EVENT, timestamp: EVENT.timestamp + 366 * 86_400 }
    const none = await findSuspectCommits(harness.db, { ...input, release: 'shop@3', event: late })
    assert.deepEqual(none, { release: 'shop@3', commits: [] })
  })

  it('code of libraries and files without a folder accuse nobody', async () => {
    const library = thrown([{ filename: 'src/cart/total.ts', in_app: false }, { filename: 'total.ts' }])
    assert.deepEqual(
      (await suspects(0, library))?.commits.map(({ path }) => path),
      ['total.ts'],
    )
    const none = { exception: [] } as unknown as NormalizedEvent
    assert.deepEqual((await suspects(0, none))?.commits, [])
  })
})
