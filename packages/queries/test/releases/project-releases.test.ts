import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  MAX_COMMIT_FILES_SHOWN,
  MAX_ORDERED,
  projectRelease,
  projectReleases,
  releaseBundles,
  releaseCommits,
  releaseDeploys,
  releaseIssues,
} from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { releaseFixture } from './release-fixture.ts'

const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS
const PAGE = { page: 1, limit: 50 }

let harness: Harness
let org: OrgGrant
let shop: ProjectGrant
let api: ProjectGrant
let release: ReturnType<typeof releaseFixture>
const ids: Record<string, number> = {}

/** One by one: rows that are inserted together have the same columns. */
async function issues(project: ProjectGrant, given: Parameters<Harness['issues']>[1]): Promise<number[]> {
  const made: number[] = []
  for (const [index, row] of given.entries())
    made.push(...(await harness.issues(project.projectId, [{ short_number: index + 1, ...row }])))
  return made
}

const versions = async (input: object): Promise<string[]> =>
  (await projectReleases(harness.deps, shop, { ...PAGE, ...input })).rows.map(({ version }) => version)

describe('project releases', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    api = await harness.project(org, 'api')
    release = releaseFixture(harness, org.orgId)
    const files = Array.from({ length: MAX_COMMIT_FILES_SHOWN + 5 }, (_, index) => `src/${100 + index}.ts`)
    ids['1.9'] = await release({
      version: 'shop@1.9.0',
      projects: [shop],
      createdMs: ago(90),
      lastEventMs: ago(5),
    })
    ids['1.10'] = await release({
      version: 'shop@1.10.0',
      projects: [shop, api],
      createdMs: ago(60),
      firstEventMs: ago(58),
      lastEventMs: ago(30),
      deploys: [
        { to: 'staging', atMs: ago(59) },
        { to: 'production', atMs: ago(55), projects: [shop.projectId] },
        { to: 'production', atMs: ago(50), projects: [shop.projectId] },
        { to: 'eu', atMs: ago(40), projects: [api.projectId] },
      ],
      commits: [
        { sha: 'b'.repeat(40), author: 'Grace', message: 'fix: totals\n\nBecause.', files },
        { sha: 'a'.repeat(40) },
      ],
      bundles: [
        {
          projects: [shop.projectId],
          lastUsedMs: ago(1),
          files: [{ bytes: 1000 }, { bytes: 3000, isMap: true, problem: 'no_sources' }],
        },
        { projects: [api.projectId], files: [{ bytes: 7 }] },
      ],
    })
    // Heard of last, and yet older by its version.
    ids['1.8'] = await release({ version: 'shop@1.8.0', projects: [shop], createdMs: ago(10) })
    await release({ version: 'shop@1.7.0', projects: [shop], status: 'archived', createdMs: ago(100) })
    await release({ version: 'api@1', projects: [api] })
    const rows = await issues(shop, [
      { first_release: 'shop@1.10.0', event_count: 3 },
      { first_release: 'shop@1.10.0', event_count: 9, title: 'Error: most' },
      { first_release: 'shop@1.9.0', regressed_release: 'shop@1.10.0', substatus: 'regressed' },
      {
        first_release: 'shop@1.9.0',
        status: 'resolved',
        resolved_in: 'release',
        resolved_release: 'shop@1.10.0',
      },
      {
        first_release: 'shop@1.9.0',
        status: 'resolved',
        resolved_in: 'next_release',
        resolved_release: 'shop@1.9.0',
      },
      // Open again, and made before its first event was stored: neither counts.
      { status: 'unresolved', resolved_in: 'release', resolved_release: 'shop@1.10.0' },
      { first_release: 'shop@1.10.0', event_count: 0 },
    ])
    await issues(api, [{ first_release: 'shop@1.10.0' }])
    await harness.events(shop.projectId, rows[1] ?? 0, [
      { release: 'shop@1.10.0', userKey: 'id:1' },
      { release: 'shop@1.10.0', userKey: 'id:1' },
      { release: 'shop@1.9.0', userKey: 'id:2' },
    ])
  })

  after(() => harness.close())

  it('are in the order of their versions, or of time, those of the project alone', async () => {
    assert.deepEqual(await versions({}), ['shop@1.10.0', 'shop@1.9.0', 'shop@1.8.0'])
    assert.deepEqual(await versions({ order: 'created' }), ['shop@1.8.0', 'shop@1.10.0', 'shop@1.9.0'])
    assert.deepEqual(await versions({ order: 'last' }), ['shop@1.9.0', 'shop@1.10.0', 'shop@1.8.0'])
    assert.deepEqual(await versions({ query: 'SHOP@1.1' }), ['shop@1.10.0'])
    assert.deepEqual(await versions({ page: 2, limit: 2 }), ['shop@1.8.0'])
    assert.equal((await versions({ withArchived: true })).at(-1), 'shop@1.7.0')
    const { total, archived, hasAny } = await projectReleases(harness.deps, shop, {
      ...PAGE,
      query: 'nothing',
    })
    assert.deepEqual([total, archived, hasAny], [0, 0, true])
    assert.equal((await projectReleases(harness.deps, shop, PAGE)).archived, 1)
  })

  it('say what came with each: deploys, commits, files, issues', async () => {
    const { rows } = await projectReleases(harness.deps, shop, PAGE)
    const [newest, older, oldest] = rows
    assert.deepEqual(newest?.deploys, [
      { environment: 'production', finishedMs: ago(50) },
      { environment: 'staging', finishedMs: ago(59) },
    ])
    assert.deepEqual([newest.commits, newest.artifacts?.files, newest.artifacts?.bytes], [2, 2, 4000])
    assert.deepEqual(newest.issues, { new: 2, regressed: 1, resolved: 2 })
    assert.deepEqual(
      [newest.firstSeenMs, newest.firstEventMs, newest.lastEventMs],
      [ago(60), ago(58), ago(30)],
    )
    assert.deepEqual(older?.issues, { new: 3, regressed: 0, resolved: 0 })
    assert.deepEqual([oldest?.artifacts, oldest?.commits, oldest?.lastEventMs], [undefined, 0, undefined])
  })

  it('one of them knows its neighbours, and is nothing to another project', async () => {
    const found = await projectRelease(harness.deps, shop, 'shop@1.9.0')
    assert.deepEqual([found?.previous, found?.next, found?.otherProjects], ['shop@1.8.0', 'shop@1.10.0', []])
    const newest = await projectRelease(harness.deps, shop, 'shop@1.10.0')
    assert.deepEqual([newest?.next, newest?.otherProjects], [undefined, ['api']])
    assert.deepEqual(newest?.issues, { new: 2, regressed: 1, resolved: 2 })
    assert.equal(await projectRelease(harness.deps, shop, 'api@1'), undefined)
    assert.equal(await projectRelease(harness.deps, shop, 'shop@1.1'), undefined)
  })

  it('has its deploys, commits with files, and bundles with their use', async () => {
    const id = ids['1.10'] ?? 0
    const deploys = await releaseDeploys(harness.deps, shop, id)
    assert.deepEqual(
      deploys.map(({ environment, finishedMs }) => [environment, (NOW_MS - finishedMs) / MINUTE_MS]),
      [
        ['production', 50],
        ['production', 55],
        ['staging', 59],
      ],
    )
    const [first, second] = await releaseCommits(harness.deps, id, { offset: 0, limit: 10 })
    assert.deepEqual([first?.authorName, first?.message], ['Grace', 'fix: totals\n\nBecause.'])
    assert.deepEqual(
      [first?.files.length, first?.fileCount],
      [MAX_COMMIT_FILES_SHOWN, MAX_COMMIT_FILES_SHOWN + 5],
    )
    assert.equal(first?.files[0]?.path, 'src/100.ts')
    assert.deepEqual([second?.files, second?.fileCount], [[], 0])
    assert.equal((await releaseCommits(harness.deps, id, { offset: 1, limit: 10 }))[0]?.sha, 'a'.repeat(40))
    const bundles = await releaseBundles(harness.deps, shop, 'shop@1.10.0')
    assert.deepEqual(
      bundles.map(({ files, maps, problems, bytes, storedBytes, lastUsedMs }) => [
        files,
        maps,
        problems,
        bytes,
        storedBytes,
        lastUsedMs,
      ]),
      [[2, 1, 1, 4000, 1000, ago(1)]],
    )
  })

  it('has its issues of each kind, most events first, with how many were in it', async () => {
    const listed = async (kind: 'new' | 'regressed' | 'resolved', version: string, previous?: string) =>
      (await releaseIssues(harness.deps, shop, { version, previous, kind, limit: 25 })).map(
        ({ shortId, eventCount, eventsHere, usersHere }) => [shortId, eventCount, eventsHere, usersHere],
      )
    assert.deepEqual(await listed('new', 'shop@1.10.0', 'shop@1.9.0'), [
      ['SHOP-2', 9, 2, 1],
      ['SHOP-1', 3, 0, 0],
    ])
    assert.deepEqual(await listed('regressed', 'shop@1.10.0'), [['SHOP-3', 1, 0, 0]])
    assert.deepEqual(
      (await listed('resolved', 'shop@1.10.0', 'shop@1.9.0')).map(([id]) => id),
      ['SHOP-5', 'SHOP-4'],
    )
    assert.deepEqual(
      (await listed('resolved', 'shop@1.10.0')).map(([id]) => id),
      ['SHOP-4'],
    )
    assert.deepEqual(await listed('new', ''), [])
  })

  it('one that is too old to be put in order is still found, without neighbours', async () => {
    const busy = await harness.project(org, 'busy')
    const versions = Array.from({ length: MAX_ORDERED + 1 }, (_, index) => `busy@${index}`)
    const rows = versions.map((version) => ({ org_id: org.orgId, version, created_ms: NOW_MS }))
    for (let from = 0; from < rows.length; from += 500) {
      const made = await harness.db
        .insertInto('release')
        .values(rows.slice(from, from + 500))
        .returning('id')
        .execute()
      await harness.db
        .insertInto('release_project')
        .values(made.map(({ id }) => ({ release_id: id, project_id: busy.projectId })))
        .execute()
    }
    const oldest = await projectRelease(harness.deps, busy, 'busy@0')
    assert.deepEqual([oldest?.version, oldest?.previous, oldest?.next], ['busy@0', undefined, undefined])
    const next = await projectRelease(harness.deps, busy, 'busy@1')
    assert.deepEqual([next?.previous, next?.next], [undefined, 'busy@2'])
  })
})
