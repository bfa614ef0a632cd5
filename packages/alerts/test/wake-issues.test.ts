/** Archived issues come back when what was waited for has happened: real rows in both engines. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { type Archive, undoIssues, updateIssues } from '@sonde/commands'
import { nextWakeMs, wakeIssues } from '../src/issues/wake-issues.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('issues that are archived until something happens', () => {
  let harness: Harness
  let projectId: number
  let orgId: number
  let issueId: number
  let startMs = NOW_MS
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('shop')
    projectId = shop.id
    orgId = shop.orgId
  })
  after(() => harness.close())
  beforeEach(async () => {
    // Each in a time of its own.
    startMs += 14 * DAY_MS
    harness.at(startMs)
    issueId = (await harness.issue(projectId, { receivedMs: startMs, timestampMs: startMs })).id
    await harness.records.updateTable('issue').set({ review_reason: '' }).execute()
  })

  const commands = () => ({ ...harness.deps }) as never
  const grant = () =>
    harness.deps.access.openProject(operatorViewer, String(orgId), String(projectId), 'event:read')
  const archive = async (until: Archive): Promise<string> => {
    const change = { ids: [issueId], status: 'ignored' as const, archive: until }
    return (await updateIssues(commands(), (await grant()) as never, change)).undo ?? ''
  }
  /** Stored and counted, as a commit does both. */
  const events = async (number: number, users: readonly string[] = ['']): Promise<void> => {
    for (const userKey of users) await harness.events(projectId, issueId, number, { userKey })
    await harness.records
      .updateTable('issue')
      .set((eb) => ({ event_count: eb('event_count', '+', number * users.length) }))
      .where('id', '=', issueId)
      .execute()
  }
  const state = async (): Promise<string> => {
    while ((await wakeIssues(harness.deps)).looked > 0);
    assert.ok(((await nextWakeMs(harness.deps)) ?? Infinity) > harness.deps.clock.nowMs())
    const row = await harness.records
      .selectFrom('issue')
      .selectAll()
      .where('id', '=', issueId)
      .executeTakeFirstOrThrow()
    return [row.status, row.substatus, row.review_reason].filter((text) => text !== '').join(' ')
  }
  const WAITING = 'ignored archived_until_condition_met'
  const BACK = 'unresolved ongoing unignored'

  it('a time', async () => {
    await archive({ minutes: 30 })
    harness.at(startMs + 30 * MINUTE_MS - 1)
    assert.equal(await state(), WAITING)
    harness.at(startMs + 30 * MINUTE_MS)
    assert.equal(await state(), BACK)
    const changes = await harness.records
      .selectFrom('issue_change')
      .select(['kind', 'detail', 'actor', 'is_pending'])
      .where('issue_id', '=', issueId)
      .orderBy('id')
      .execute()
    assert.deepEqual(changes.at(-1), {
      kind: 'reopened',
      detail: JSON.stringify({ ending: 'time' }),
      actor: '',
      is_pending: 1,
    })
  })

  it('so many more events, however long it takes', async () => {
    await archive({ events: 3 })
    await events(2)
    assert.equal(await state(), WAITING)
    harness.at(startMs + DAY_MS)
    await events(1)
    assert.equal(await state(), BACK)
  })

  it('so many events within a time, and not more slowly', async () => {
    await archive({ events: 3, eventMinutes: 60 })
    await events(2)
    harness.at(startMs + 2 * HOUR_MS)
    await events(2)
    assert.equal(await state(), WAITING)
    await events(1)
    assert.equal(await state(), BACK)
  })

  it('so many more users', async () => {
    await archive({ users: 3 })
    await events(5, ['id:1', 'id:2'])
    assert.equal(await state(), WAITING)
    await events(1, ['id:2', 'id:3'])
    assert.equal(await state(), BACK)
  })

  it('much more often than usual, which makes it urgent', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => startMs - (hour + 2) * HOUR_MS)
    for (const receivedMs of hours)
      await harness.events(projectId, issueId, 28, { receivedMs, timestampMs: receivedMs })
    await archive({ isUntilEscalating: true })
    await events(15)
    assert.equal(await state(), 'ignored archived_until_escalating')
    await events(10)
    assert.equal(await state(), 'unresolved escalating escalating')
    const { priority } = await harness.records
      .selectFrom('issue')
      .select('priority')
      .where('id', '=', issueId)
      .executeTakeFirstOrThrow()
    assert.equal(priority, 75)
  })

  it('whoever takes a change back finds it waiting as before; archived for good it waits for nothing', async () => {
    await archive({ events: 2 })
    const write = (await grant()) as never
    const { undo = '' } = await updateIssues(commands(), write, { ids: [issueId], status: 'resolved' })
    await events(2)
    assert.match(await state(), /^resolved/)
    await undoIssues(commands(), write, { undo })
    assert.equal(await state(), BACK)
    await updateIssues(commands(), write, { ids: [issueId], status: 'ignored' })
    await events(5)
    assert.match(await state(), /^ignored archived_forever/)
  })
})
