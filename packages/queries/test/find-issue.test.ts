import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findIssue, namesIssue } from '@sonde/queries'
import { type Harness, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'

let harness: Harness
let shop: ProjectGrant
let other: ProjectGrant
let gone: number
let kept: number

describe('find issue', () => {
  before(async () => {
    harness = await openHarness()
    const acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    other = await harness.project(await harness.org('other'), 'shop')
    const [first = 0, second = 0] = await harness.issues(shop.projectId, [{}, {}])
    gone = first
    kept = second
    await harness.issues(other.projectId, [{}])
    await harness.db.deleteFrom('issue').where('id', '=', gone).execute()
    await harness.db
      .insertInto('issue_redirect')
      .values({
        from_issue_id: gone,
        project_id: shop.projectId,
        short_number: 1,
        into_issue_id: kept,
        at_ms: NOW_MS,
      })
      .execute()
  })

  after(() => harness.close())

  it('an issue that became part of another is found as that, by its id and by its short id', async () => {
    for (const ref of [gone, String(gone), 'SHOP-1', 'shop-1'])
      assert.equal((await findIssue(harness.deps, shop, ref))?.shortId, 'SHOP-2', String(ref))
    assert.equal((await findIssue(harness.deps, shop, 'SHOP-2'))?.id, kept)
  })

  it('not from another organization', async () => {
    assert.equal(await findIssue(harness.deps, other, gone), undefined)
    assert.equal((await findIssue(harness.deps, other, 'SHOP-1'))?.project.id, other.projectId)
    assert.equal(await findIssue(harness.deps, other, 'SHOP-2'), undefined)
  })

  it('an issue whose events were all deleted is at its address; a member of a merged one is not', async () => {
    const [empty = 0, member = 0] = await harness.issues(shop.projectId, [
      { short_number: 3, event_count: 0 },
      { short_number: 4, event_count: 0 },
    ])
    await harness.db
      .insertInto('issue_merge')
      .values({
        issue_id: member,
        project_id: shop.projectId,
        into_issue_id: kept,
        actor: '',
        at_ms: NOW_MS,
        removed_count: 0,
        hashes: '[]',
        gave: '{}',
      })
      .execute()
    assert.equal((await findIssue(harness.deps, shop, 'SHOP-3'))?.id, empty)
    assert.equal(await findIssue(harness.deps, shop, member), undefined)
  })

  it('what an address says is told from what it leads to', async () => {
    const issue = await findIssue(harness.deps, shop, kept)
    assert.ok(issue)
    for (const ref of [String(kept), 'SHOP-2', 'shop-2', `0${kept}`]) assert.ok(namesIssue(issue, ref), ref)
    for (const ref of [String(gone), 'SHOP-1', 'OTHER-2']) assert.ok(!namesIssue(issue, ref), ref)
  })
})
