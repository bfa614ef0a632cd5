import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer, type Viewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ensureProject, InvalidInput, undoIssues, updateIssues, updateMatchingIssues } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

describe('undoIssues', () => {
  let harness: Harness
  let member: UserViewer
  let ids: number[]
  let foreign: number[]
  const issues = async (org: string): Promise<number[]> => {
    const project = await ensureProject(harness.deps, operatorViewer, { org, slug: 'shop' })
    return harness.issues(project.id, 2)
  }
  const states = (of: readonly number[]): Promise<string[]> => harness.states(of)
  const grant = (viewer: Viewer, org = 'acme') => harness.deps.access.openOrg(viewer, org, 'event:write')
  const change = async (of: readonly number[], status: 'resolved' | 'ignored', org = 'acme') =>
    (await updateIssues(harness.deps, await grant(operatorViewer, org), { ids: of, status })).undo ?? ''
  before(async () => {
    harness = await openHarness()
    ids = await issues('acme')
    foreign = await issues('rival')
    member = await harness.viewer('acme', 'member')
  })
  after(() => harness.close())

  it('gives issues the state they had, which reopening would not, and says so in the audit', async () => {
    const undo = await change(ids, 'resolved')
    assert.deepEqual(await undoIssues(harness.deps, await grant(member), { undo }), { count: 2 })
    assert.deepEqual(await states(ids), ['unresolved new', 'unresolved new'])
    assert.match((await harness.audit()).at(-1) ?? '', /issue\.undo acme$/)
  })

  it('leaves alone what somebody has changed since, and the others of the change where one is named', async () => {
    const undo = await change(ids, 'resolved')
    await change(ids.slice(0, 1), 'ignored')
    const ofFirst = { undo, issueId: ids[0] }
    assert.deepEqual(await undoIssues(harness.deps, await grant(member), ofFirst), { count: 0 })
    assert.deepEqual(await states(ids), ['ignored archived_forever', 'resolved'])
    assert.deepEqual(await undoIssues(harness.deps, await grant(member), { undo }), { count: 1 })
    assert.deepEqual(await states(ids), ['ignored archived_forever', 'unresolved new'])
  })

  it('changes nothing of another organization, nor for who may only look, nor by a text of somebody else', async () => {
    const undo = await change(foreign, 'resolved', 'rival')
    assert.deepEqual(await undoIssues(harness.deps, await grant(member), { undo }), { count: 0 })
    assert.deepEqual(await states(foreign), ['resolved', 'resolved'])
    const viewer = await harness.viewer('acme', 'viewer')
    await assert.rejects(
      grant(viewer).then((own) => undoIssues(harness.deps, own, { undo })),
      (error: SondeError) => error.kind === 'forbidden',
    )
    for (const text of ['', 'resolved', 'resolved<unresolved/A B:1'])
      await assert.rejects(undoIssues(harness.deps, await grant(member), { undo: text }), InvalidInput)
  })

  it('one undo takes back every step of a change to all that match', async () => {
    const left = await states(ids)
    const found = [[ids[0] ?? 0, ...many(4_999)], [ids[1] ?? 0], []]
    const changed = await updateMatchingIssues(
      harness.deps,
      await grant(member),
      { status: 'resolved' },
      async () => found.shift() ?? [],
    )
    assert.deepEqual([changed.count, changed.isComplete, found.length], [2, true, 1])
    assert.deepEqual(await states(ids), ['resolved', 'resolved'])
    await undoIssues(harness.deps, await grant(member), { undo: changed.undo ?? '' })
    assert.deepEqual(await states(ids), left)
  })

  it('a search that always finds others ends, and the answer says that some are left', async () => {
    let searches = 0
    const find = async () => {
      searches++
      return many(5_000)
    }
    const changed = await updateMatchingIssues(
      harness.deps,
      await grant(member),
      { status: 'resolved' },
      find,
    )
    assert.deepEqual(changed, { count: 0, undo: undefined, isComplete: false })
    assert.equal(searches, 40)
  })
})

/** Ids that nobody has. */
const many = (length: number): number[] => Array.from({ length }, (_, index) => 1_000_000 + index)
