/** Merging, giving back, splitting, deleting, discarding and sharing: who may, what is refused, what is said twice, and at once. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { ErrorKind, SondeError } from '@sonde/base'
import {
  addComment,
  assignIssues,
  changeIssues,
  type CommandDeps,
  deleteComment,
  deleteIssues,
  editComment,
  ensureProject,
  InvalidInput,
  mergeIssues,
  openShare,
  setPublicLinks,
  shareIssue,
  stopDiscarding,
  takeOutFingerprints,
  undoIssues,
  unshareIssue,
  updateIssues,
} from '@sonde/commands'
import { createIssueMoves } from '@sonde/pipeline'
import type { Telemetry } from '@sonde/stores'
import { openTestTelemetry } from '../../../tests/harness/engines.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

let harness: Harness
let telemetry: Telemetry
let deps: CommandDeps
let member: UserViewer
let admin: UserViewer
let project: number
let ids: readonly number[]
let projects = 0

const grantOf = (viewer: UserViewer = member) =>
  deps.access.openProject(viewer, 'acme', `shop-${projects}`, 'event:write')
const deleting = (viewer: UserViewer = admin) =>
  deps.access.openProject(viewer, 'acme', `shop-${projects}`, 'event:delete')
const is = (kind: ErrorKind) => (error: SondeError) => error.kind === kind
const counts = async () => {
  const rows = await harness.db
    .selectFrom('issue')
    .select('event_count')
    .where('project_id', '=', project)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.event_count)
}
const hashOf = (id: number): string => id.toString(16).padStart(32, '0')

describe('moves of issues', () => {
  before(async () => {
    harness = await openHarness()
    telemetry = await openTestTelemetry()
    const issueMoves = createIssueMoves({ records: harness.db, telemetry, clock: harness.clock })
    deps = { ...harness.deps, issueMoves }
    await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'other' })
    await ensureProject(deps, operatorViewer, { org: 'rival', slug: 'shop' })
    member = await harness.viewer('acme', 'member')
    admin = await harness.viewer('acme', 'admin')
  })
  after(async () => {
    await telemetry.close()
    await harness.close()
  })
  /** A project with three issues of one event each. */
  beforeEach(async () => {
    project = (await ensureProject(deps, operatorViewer, { org: 'acme', slug: `shop-${++projects}` })).id
    ids = await harness.issues(project, 3)
    await harness.db.updateTable('project').set({ issue_counter: 3 }).where('id', '=', project).execute()
    for (const [index, id] of ids.entries()) {
      await harness.db
        .insertInto('issue_hash')
        .values({ project_id: project, hash: hashOf(id), issue_id: id })
        .execute()
      await telemetry.command(
        `INSERT INTO events (project_id, issue_id, event_id, timestamp, received, hashes, title, level, log_position)
         VALUES ({project:UInt32}, {id:UInt64}, {event:String}, fromUnixTimestamp64Milli({at:Int64}), fromUnixTimestamp64Milli({at:Int64}),
           [{hash:String}], 'Error', 'error', {index:UInt64})`,
        { project, id, event: hashOf(id), at: NOW_MS, hash: hashOf(id), index },
      )
    }
  })

  const [a, b, c] = [() => ids[0] ?? 0, () => ids[1] ?? 0, () => ids[2] ?? 0]
  const merge = async (into: number, ...others: number[]) =>
    mergeIssues(deps, await grantOf(), { ids: others, into })

  describe('who may', () => {
    it('a viewer neither merges nor deletes, a member does not delete, and a stranger finds nothing', async () => {
      const viewer = await harness.viewer('acme', 'viewer', `v${projects}@acme.test`)
      await assert.rejects(grantOf(viewer), is('forbidden'))
      await assert.rejects(deleting(viewer), is('forbidden'))
      await assert.rejects(deleting(member), is('forbidden'))
      await assert.rejects(
        grantOf(await harness.viewer('rival', 'owner', `r${projects}@rival.test`)),
        is('not-found'),
      )
    })

    it('issues of another organization or project are not there', async () => {
      const rival = await harness.viewer('rival', 'owner', `o${projects}@rival.test`)
      const theirs = await deps.access.openProject(rival, 'rival', 'shop', 'event:delete')
      await assert.rejects(mergeIssues(deps, theirs, { ids }), is('not-found'))
      await assert.rejects(
        takeOutFingerprints(deps, theirs, { issueId: a(), hashes: [hashOf(a())] }),
        is('not-found'),
      )
      await assert.rejects(deleteIssues(deps, theirs, { ids }), is('not-found'))
      await stopDiscarding(deps, theirs, { shortNumber: 1 })
      const { undo } = await merge(a(), b())
      assert.equal((await undoIssues(deps, theirs, { undo }).catch(() => ({ count: 0 }))).count, 0)
      assert.deepEqual(await counts(), [2, 0, 1])
    })
  })

  describe('bad input', () => {
    it('less than two, several projects, no fingerprint, all fingerprints, and other text are refused', async () => {
      const [elsewhere = 0] = await harness
        .issues((await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'other' })).id, 1)
        .catch(() => [])
      const grant = await grantOf()
      for (const wrong of [[], [a()], [a(), a()], [-1], Array.from({ length: 201 }, (_, index) => index + 1)])
        await assert.rejects(mergeIssues(deps, grant, { ids: wrong }), InvalidInput, `${wrong.length}`)
      const wide = await deps.access.openOrg(member, 'acme', 'event:write')
      await assert.rejects(mergeIssues(deps, wide, { ids: [a(), elsewhere] }), InvalidInput)
      await assert.rejects(takeOutFingerprints(deps, grant, { issueId: a(), hashes: [] }), InvalidInput)
      await assert.rejects(
        takeOutFingerprints(deps, grant, { issueId: a(), hashes: [hashOf(a())] }),
        InvalidInput,
      )
      await assert.rejects(
        takeOutFingerprints(deps, grant, { issueId: a(), hashes: [hashOf(b())] }),
        is('not-found'),
      )
      await assert.rejects(undoIssues(deps, grant, { undo: 'merged<x' }), InvalidInput)
      await assert.rejects(
        shareIssue(deps, grant, { id: a(), projectId: project }, { days: 91 }),
        InvalidInput,
      )
      assert.deepEqual(await counts(), [1, 1, 1])
    })
  })

  describe('said twice', () => {
    it('a merge is none the second time, and so is its undo', async () => {
      const { undo } = await merge(a(), b(), c())
      await assert.rejects(merge(a(), b(), c()), InvalidInput)
      assert.deepEqual(await counts(), [3, 0, 0])
      assert.equal((await undoIssues(deps, await grantOf(), { undo })).count, 2)
      assert.equal((await undoIssues(deps, await grantOf(), { undo })).count, 0)
      assert.deepEqual(await counts(), [1, 1, 1])
    })

    it('an undo leaves alone what was merged on meanwhile', async () => {
      const { undo } = await merge(a(), b())
      await merge(c(), a())
      assert.equal((await undoIssues(deps, await grantOf(), { undo })).count, 0)
      assert.deepEqual(await counts(), [0, 0, 3])
    })

    it('a deletion finds nothing the second time; discarding is stopped once', async () => {
      await settle()
      await deleteIssues(deps, await deleting(), { ids: [a(), b()], discard: true })
      await assert.rejects(deleteIssues(deps, await deleting(), { ids: [a()] }), is('not-found'))
      for (const _ of [1, 2]) await stopDiscarding(deps, await deleting(), { shortNumber: 1 })
      const left = await harness.db
        .selectFrom('discarded_hash')
        .select('short_number')
        .where('project_id', '=', project)
        .execute()
      assert.deepEqual(left, [{ short_number: 2 }])
      const stops = (await harness.audit()).filter((entry) =>
        entry.endsWith(`issue.discard_stop acme/shop-${projects}`),
      )
      assert.equal(stops.length, 1)
    })
  })

  const settle = () =>
    harness.db
      .updateTable('issue_move')
      .set({ finished_ms: NOW_MS })
      .where('project_id', '=', project)
      .execute()

  it('two people merge the same issues at once, each into another: one of them is heard', async () => {
    const ends = await Promise.allSettled([merge(a(), b()), merge(b(), a())])
    assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    assert.deepEqual(
      (await counts()).toSorted((x, y) => x - y),
      [0, 1, 2],
    )
    const rows = await harness.db
      .selectFrom('issue_redirect')
      .selectAll()
      .where('project_id', '=', project)
      .execute()
    assert.equal(rows.length, 1)
  })

  it('a ring of merges at once is none: every issue leads to one that is there', async () => {
    await Promise.allSettled([merge(a(), b()), merge(b(), c()), merge(c(), a())])
    const merges = await harness.db
      .selectFrom('issue_merge')
      .select('issue_id')
      .where('project_id', '=', project)
      .execute()
    assert.equal(
      (await counts()).reduce((sum, count) => sum + count, 0),
      3,
    )
    assert.equal((await counts()).filter((count) => count > 0).length, 3 - merges.length)
    const { before } = await updateIssues(deps, await grantOf(), { ids, status: 'resolved' })
    assert.equal(before.length, 3 - merges.length)
  })

  describe('an issue that is part of another', () => {
    it('means the whole to every change by id', async () => {
      const grant = await grantOf()
      const undone = await updateIssues(deps, grant, { ids: [b()], status: 'ignored' })
      await merge(a(), b())
      const resolved = await updateIssues(deps, grant, { ids: [b()], status: 'resolved' })
      assert.deepEqual(resolved.ids, [a()])
      assert.deepEqual((await assignIssues(deps, grant, { ids: [a(), b()], assignee: 'me' })).ids, [a()])
      const marks = { isBookmarked: true, isReviewed: true } as const
      assert.equal((await changeIssues(deps, grant, { priority: 'low', marks }, { ids: [b()] })).count, 1)
      const row = await harness.db
        .selectFrom('issue')
        .selectAll()
        .where('id', '=', a())
        .executeTakeFirstOrThrow()
      assert.deepEqual([row.status, row.priority, row.assignee_user_id], ['resolved', 25, member.userId])
      const bookmarks = await harness.db
        .selectFrom('issue_bookmark')
        .select('issue_id')
        .where('issue_id', 'in', ids)
        .execute()
      assert.deepEqual(bookmarks, [{ issue_id: a() }])
      // The part is as it was, also to an undo of what was done before.
      assert.equal((await undoIssues(deps, grant, { undo: undone.undo ?? '' })).count, 0)
      assert.deepEqual(await harness.states([b()]), ['ignored archived_forever'])
    })

    it('is followed by comments, and those of before are found through the whole', async () => {
      const grant = await grantOf()
      const before = await addComment(deps, grant, { issueId: b(), text: 'of the part' })
      await merge(a(), b())
      const { id } = await addComment(deps, grant, { issueId: b(), text: 'of the whole' })
      const of = await harness.db.selectFrom('issue_change').select('issue_id').where('id', '=', id).execute()
      assert.deepEqual(of, [{ issue_id: a() }])
      await editComment(deps, grant, { issueId: a(), commentId: before.id, text: 'edited' })
      await deleteComment(deps, grant, { issueId: a(), commentId: before.id })
      await assert.rejects(
        editComment(deps, grant, { issueId: c(), commentId: id, text: 'x' }),
        is('not-found'),
      )
    })

    it('merges and splits as the whole, and is not deleted', async () => {
      await merge(a(), b())
      await merge(b(), c())
      assert.deepEqual(await counts(), [3, 0, 0])
      const { from, to } = await takeOutFingerprints(deps, await grantOf(), {
        issueId: b(),
        hashes: [hashOf(b())],
      })
      assert.deepEqual([from.id, to.shortNumber], [a(), 4])
      await settle()
      await assert.rejects(deleteIssues(deps, await deleting(), { ids: [c()] }), is('conflict'))
      assert.deepEqual(await counts(), [2, 0, 0, 1])
    })
  })

  it('a public link of one that is part of another answers again when it is given back', async () => {
    const grant = await grantOf()
    const { token } = await shareIssue(deps, grant, { id: b(), projectId: project })
    const shares = () => harness.db.selectFrom('issue_share').selectAll().execute()
    const before = await shares()
    const opened = async () => {
      const found = await openShare(deps, token, '10.0.0.1')
      return found && 'issueId' in found ? found.issueId : undefined
    }
    assert.equal(await opened(), b())
    assert.deepEqual(await shares(), before, 'views are not counted')
    const { undo } = await merge(a(), b())
    assert.equal(await opened(), undefined)
    await undoIssues(deps, grant, { undo })
    assert.equal(await opened(), b())
    const owners = await deps.access.openOrg(operatorViewer, 'acme', 'org:write')
    await setPublicLinks(deps, owners, { areAllowed: false })
    assert.equal(await opened(), undefined)
    await assert.rejects(shareIssue(deps, grant, { id: b(), projectId: project }), InvalidInput)
    await setPublicLinks(deps, owners, { areAllowed: true })
    assert.equal(await opened(), b())
    assert.equal(await unshareIssue(deps, grant, { id: b(), projectId: project }), true)
    assert.equal(await unshareIssue(deps, grant, { id: b(), projectId: project }), false)
    assert.equal(await opened(), undefined)
  })

  it('a deleted project takes merges, moves, discarded fingerprints and links along', async () => {
    await shareIssue(deps, await grantOf(), { id: a(), projectId: project })
    await merge(a(), b())
    await settle()
    await deleteIssues(deps, await deleting(), { ids: [c()], discard: true })
    await harness.removeProject('acme', `shop-${projects}`)
    for (const table of [
      'issue_merge',
      'issue_redirect',
      'issue_move',
      'issue_deletion',
      'discarded_hash',
      'issue_hash',
    ] as const) {
      const rows = await harness.db
        .selectFrom(table)
        .select('project_id')
        .where('project_id', '=', project)
        .execute()
      assert.deepEqual(rows, [], table)
    }
    for (const table of ['issue_share', 'issue_merge_base'] as const) {
      const rows = await harness.db
        .selectFrom(table)
        .select('issue_id')
        .where('issue_id', 'in', ids)
        .execute()
      assert.deepEqual(rows, [], table)
    }
  })
})
