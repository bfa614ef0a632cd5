/** Owners that are found again: after a source map that came late, and after rules that changed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { requestOwnershipRun } from '@sonde/stores'
import { type Pipeline, startOwners } from '../../src/index.ts'
import {
  openReprocessingHarness,
  type ReprocessingHarness,
  until,
} from '../reprocess/reprocessing-harness.ts'
import { debugIdOf, type ScriptError, scriptError } from '../reprocess/script-error.ts'

let harness: ReprocessingHarness
let pipeline: Pipeline
let names = 0
let events = 0

async function person(id: string): Promise<void> {
  const at = new Date(0).toISOString()
  const user = { id, email: `${id}@acme.test`, name: id, emailVerified: 1, createdAt: at, updatedAt: at }
  await harness.records.insertInto('user').values(user).execute()
  await harness.records
    .insertInto('member')
    .values({ org_id: harness.orgId, user_id: id, role: 'member', created_ms: 0 })
    .execute()
}

async function own(project: number, rules: string, auto_assignment: 'owners' | 'off' = 'owners') {
  const values = { rules, auto_assignment, is_for_all: 1, version: ++names, updated_ms: 0, updated_by: '' }
  await harness.records
    .insertInto('project_ownership')
    .values({ project_id: project, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
}

/** A project with one stored error of each of these columns of a script that no map is there for. */
async function projectWith(columns: readonly number[]) {
  const at = ++names
  const project = await harness.createProject(`p${at}`)
  const debugId = debugIdOf(at)
  const append = async (error: Partial<ScriptError>): Promise<void> => {
    const { column = 400 } = error
    // A number would be left out of the fingerprint.
    const value = `${String.fromCharCode(97 + (column % 26))} broke`
    const whole = { value, column, debugId, ageMs: 60_000 }
    await harness.append(project, scriptError({ ...whole, ...error, id: ++events }))
  }
  for (const column of columns) await append({ column })
  await harness.stored(project, columns.length)
  return { project, debugId, append }
}

async function mapsArrive(debugId: string, map: Readonly<Record<number, string>>): Promise<void> {
  const id = await harness.ask({ debugIds: [debugId] })
  const job = harness.startReprocessing(pipeline, map)
  await harness.finished(id)
  await job.stop()
}

/** Until nothing is left to find. Returns what was assigned. */
async function ownersFound(): Promise<readonly number[]> {
  const assigned: number[] = []
  const { records, telemetry, clock } = harness
  const job = startOwners({
    records,
    telemetry,
    clock,
    logger: silentLogger,
    pipeline,
    onAssigned: (_, issueIds) => assigned.push(...issueIds),
  })
  await until(async () => {
    const requests = await records.selectFrom('owner_request').select('issue_id').execute()
    const runs = await records
      .selectFrom('ownership_run')
      .select('project_id')
      .where('finished_ms', 'is', null)
      .execute()
    return requests.length + runs.length === 0
  }, 'owners are found')
  await job.stop()
  return assigned
}

const run = (project: number, isAssigning: boolean): Promise<void> =>
  requestOwnershipRun(
    harness.records,
    { projectId: project, actor: 'user:ada', isAssigning },
    harness.clock.nowMs(),
  )

const runOf = (project: number) =>
  harness.records
    .selectFrom('ownership_run')
    .selectAll()
    .where('project_id', '=', project)
    .executeTakeFirstOrThrow()

async function ownersIn(project: number): Promise<Record<string, unknown>> {
  const rows = await harness.records
    .selectFrom('issue')
    .leftJoin('issue_owner', 'issue_owner.issue_id', 'issue.id')
    .select(['issue.short_number', 'issue.assignee_user_id', 'issue_owner.user_id'])
    .where('issue.project_id', '=', project)
    .orderBy('issue.short_number')
    .execute()
  return Object.fromEntries(
    rows.map(({ short_number, assignee_user_id: assignee, user_id: owner }) => [
      short_number,
      { owner, assignee },
    ]),
  )
}

const assignments = (project: number) =>
  harness.records
    .selectFrom('issue_change')
    .select(['issue_id', 'is_untold', 'detail'])
    .where('project_id', '=', project)
    .where('kind', '=', 'assigned')
    .orderBy('id')
    .execute()

describe('owners are found again', () => {
  before(async () => {
    harness = await openReprocessingHarness()
    pipeline = await harness.start()
    await person('ada')
    await person('grace')
  })
  after(async () => {
    await pipeline.stop()
    await harness.close()
  })

  it('after a late source map: of the paths that frames have then, and whoever nobody has is assigned', async () => {
    const { project, debugId } = await projectWith([400])
    await own(project, 'path:src/pay.ts ada@acme.test')
    await mapsArrive(debugId, { 400: 'pay' })
    assert.deepEqual(await ownersIn(project), { 1: { owner: null, assignee: null } })
    const [issue] = await harness.issues(project)
    assert.deepEqual(await ownersFound(), [issue?.id])
    assert.deepEqual(await ownersIn(project), { 1: { owner: 'ada', assignee: 'ada' } })
    const [change] = await assignments(project)
    assert.equal(change?.is_untold, 1)
    assert.match(change?.detail ?? '', /path:src\/pay\.ts/)
  })

  it('also the author of a suspect commit', async () => {
    const { project, debugId, append } = await projectWith([])
    const { records, orgId } = harness
    await append({ column: 400, release: 'shop@late' })
    await harness.stored(project, 1)
    const release = await records
      .selectFrom('release')
      .select('id')
      .where('version', '=', 'shop@late')
      .executeTakeFirstOrThrow()
    const commit = {
      org_id: orgId,
      repository: 'acme/shop',
      sha: 'c0ffee',
      author_name: 'Grace',
      author_email: 'grace@acme.test',
      message: 'm',
      at_ms: Date.now(),
    }
    const { id } = await records
      .insertInto('source_commit')
      .values(commit)
      .returning('id')
      .executeTakeFirstOrThrow()
    await records
      .insertInto('source_commit_file')
      .values({ commit_id: id, path: 'web/src/pay.ts', change: 'M' })
      .execute()
    await records
      .insertInto('release_commit')
      .values({ release_id: release.id, position: 0, commit_id: id })
      .execute()
    await harness.records
      .insertInto('project_ownership')
      .values({
        project_id: project,
        rules: '',
        auto_assignment: 'suspect_commits',
        is_for_all: 1,
        version: 1,
        updated_ms: 0,
        updated_by: '',
      })
      .execute()
    await mapsArrive(debugId, { 400: 'pay' })
    await ownersFound()
    assert.deepEqual(await ownersIn(project), { 1: { owner: 'grace', assignee: 'grace' } })
    await records.deleteFrom('source_commit').execute()
  })

  it('but whoever was assigned or unassigned since stays, and what is resolved is assigned to nobody', async () => {
    const { project, debugId } = await projectWith([400, 500])
    const [first, second] = await harness.issues(project)
    assert.ok(first && second)
    await harness.records
      .insertInto('issue_change')
      .values({
        project_id: project,
        issue_id: first.id,
        kind: 'unassigned',
        event_id: '',
        actor: 'user:grace',
        at_ms: 1,
        is_pending: 0,
      })
      .execute()
    await harness.records
      .updateTable('issue')
      .set({ status: 'resolved' })
      .where('id', '=', second.id)
      .execute()
    await own(project, 'path:src/* ada@acme.test')
    await mapsArrive(debugId, { 400: 'pay', 500: 'cart' })
    assert.deepEqual(await ownersFound(), [])
    assert.deepEqual(await ownersIn(project), {
      1: { owner: 'ada', assignee: null },
      2: { owner: 'ada', assignee: null },
    })
  })

  it('after rules changed: open issues have the owners of today, and nobody is assigned', async () => {
    const columns = Array.from({ length: 25 }, (_, at) => 1_000 + at)
    const { project, debugId } = await projectWith(columns)
    await mapsArrive(debugId, Object.fromEntries(columns.map((column) => [column, `f${column}`])))
    await ownersFound()
    const [first] = await harness.issues(project)
    await harness.records
      .updateTable('issue')
      .set({ status: 'resolved' })
      .where('id', '=', first?.id ?? 0)
      .execute()
    await own(project, 'path:src/* grace@acme.test\npath:src/f1024.ts ada@acme.test')
    await run(project, false)
    assert.deepEqual(await ownersFound(), [])
    const owners = await ownersIn(project)
    assert.deepEqual(owners[1], { owner: null, assignee: null })
    assert.deepEqual(owners[2], { owner: 'grace', assignee: null })
    const { total_count, seen_count, changed_count, assigned_count } = await runOf(project)
    assert.deepEqual([total_count, seen_count, changed_count, assigned_count], [24, 24, 24, 0])

    await run(project, true)
    assert.equal((await ownersFound()).length, 24)
    const again = await runOf(project)
    assert.deepEqual([again.changed_count, again.assigned_count], [0, 24])
    // Told once the run is over, so that a person gets one message.
    assert.deepEqual(new Set((await assignments(project)).map((row) => row.is_untold)), new Set([1]))

    await own(project, '')
    await run(project, false)
    await ownersFound()
    assert.deepEqual(await ownersIn(project), {
      ...(await ownersIn(project)),
      2: { owner: null, assignee: 'grace' },
    })
  })

  it('a project that assigns nobody stays so', async () => {
    const { project, debugId } = await projectWith([400])
    await own(project, 'path:src/pay.ts ada@acme.test', 'off')
    await mapsArrive(debugId, { 400: 'pay' })
    await run(project, true)
    assert.deepEqual(await ownersFound(), [])
    assert.deepEqual(await ownersIn(project), { 1: { owner: 'ada', assignee: null } })
  })

  it('begins anew with another change, and still assigns what was asked for', async () => {
    const { project, debugId } = await projectWith([400])
    await mapsArrive(debugId, { 400: 'pay' })
    await ownersFound()
    await run(project, true)
    await run(project, false)
    const asked = await runOf(project)
    assert.deepEqual([asked.version, asked.is_assigning, asked.total_count], [2, 1, null])
    await own(project, 'path:src/pay.ts ada@acme.test')
    assert.equal((await ownersFound()).length, 1)
    await run(project, false)
    assert.equal((await runOf(project)).is_assigning, 0)
    await ownersFound()
  })
})
