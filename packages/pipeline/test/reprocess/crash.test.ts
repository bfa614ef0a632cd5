/** Whatever step of a reprocessing run is the last one before a crash: afterwards every event is there once, in the right issue. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Pipeline } from '../../src/index.ts'
import { REPROCESSING_STEPS } from '../../src/reprocess/reprocessing-step.ts'
import { openReprocessingHarness, type ReprocessingHarness, until } from './reprocessing-harness.ts'
import { debugIdOf, scriptError } from './script-error.ts'

let harness: ReprocessingHarness
let pipeline: Pipeline

const MAP = { 400: 'pay', 500: 'total', 600: 'ship' }

/** Two issues that are one, one that is two, and one of another script. */
async function appendMixture(project: number, at: number): Promise<string> {
  const debugId = debugIdOf(at * 2)
  const other = debugIdOf(at * 2 + 1)
  const errors = [
    { id: 1, value: 'a broke', column: 400, debugId },
    { id: 2, value: 'a broke', column: 400, debugId },
    { id: 3, value: 'a broke', column: 400, debugId },
    { id: 4, value: 'b broke', column: 400, debugId },
    { id: 5, value: 'b broke', column: 400, debugId },
    { id: 6, value: 'c broke', column: 500, debugId },
    { id: 7, value: 'c broke', column: 500, debugId },
    { id: 8, value: 'c broke', column: 600, debugId },
    { id: 9, value: 'd broke', column: 400, debugId: other },
  ]
  for (const error of errors)
    await harness.append(
      project,
      scriptError({ ...error, id: at * 0x100 + error.id, ageMs: 60_000 - error.id * 1000 }),
    )
  await harness.stored(project, errors.length)
  return debugId
}

async function assertReprocessed(project: number, reprocessing: number): Promise<void> {
  assert.deepEqual(await harness.shown(project), {
    '1 in pay (5)': ['1', '2', '3', '4', '5'],
    '3 in total (2)': ['6', '7'],
    '4 TypeError: d broke (1)': ['9'],
    '5 in ship (1)': ['8'],
  })
  assert.deepEqual(await harness.misplaced(project), [])
  const redirects = await harness.records
    .selectFrom('issue_redirect')
    .innerJoin('issue', 'issue.id', 'issue_redirect.into_issue_id')
    .select(['issue_redirect.short_number as from', 'issue.short_number as into'])
    .where('issue_redirect.project_id', '=', project)
    .execute()
  assert.deepEqual(redirects, [{ from: 2, into: 1 }])
  const hashes = await harness.records
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select((eb) => ['issue.short_number', eb.fn.countAll<number>().as('hashes')])
    .where('issue.project_id', '=', project)
    .groupBy('issue.short_number')
    .orderBy('issue.short_number')
    .execute()
  // Those of before lead on: an old page that is still open goes on to send them.
  assert.deepEqual(
    hashes.map((row) => [row.short_number, row.hashes]),
    [
      [1, 3],
      [3, 2],
      [4, 1],
      [5, 1],
    ],
  )
  // Where an issue that is gone was seen, the one that it became part of was seen.
  const merged = await harness.records
    .selectFrom('issue_redirect')
    .innerJoin('issue_seen', 'issue_seen.issue_id', 'issue_redirect.into_issue_id')
    .select(['issue_redirect.short_number', 'issue_seen.name'])
    .where('issue_redirect.project_id', '=', project)
    .execute()
  assert.ok(merged.some(({ name, short_number }) => name === `release ${short_number}`))
  assert.equal(merged.filter(({ name }) => name === 'everywhere').length, 1)
  const row = await harness.reprocessing(reprocessing)
  assert.deepEqual(
    [row.total_count, row.changed_count, row.moved_count, row.merged_count, row.trouble],
    [8, 8, 3, 1, ''],
  )
  const audit = await harness.records
    .selectFrom('audit_entry')
    .select(['action', 'actor', 'detail'])
    .orderBy('id')
    .execute()
  const own = audit.filter(
    ({ detail }) => (JSON.parse(detail) as { repair?: number }).repair === reprocessing,
  )
  assert.deepEqual(
    own.map(({ action, actor }) => `${action} by ${actor}`),
    ['issue.merge by user:u1', 'artifacts.repair by user:u1'],
  )
}

/** As the pipeline notes it: each in an environment that all have, and in a release of its own. */
async function seeEveryIssue(project: number): Promise<void> {
  const issues = await harness.records
    .selectFrom('issue')
    .select(['id', 'short_number'])
    .where('project_id', '=', project)
    .execute()
  await harness.records
    .insertInto('issue_seen')
    .values(
      issues.flatMap(({ id, short_number }) => [
        { issue_id: id, kind: 'environment' as const, name: 'everywhere' },
        { issue_id: id, kind: 'release' as const, name: `release ${short_number}` },
      ]),
    )
    .execute()
}

describe('a crash', () => {
  before(async () => {
    harness = await openReprocessingHarness()
    pipeline = await harness.start()
  })
  after(async () => {
    await pipeline.stop()
    await harness.close()
  })

  for (const [at, step] of REPROCESSING_STEPS.entries()) {
    it(`after "${step}" leaves every event once, in its issue`, async () => {
      const project = await harness.createProject(`crash-${step}`)
      const debugId = await appendMixture(project, 0x10 + at)
      await seeEveryIssue(project)
      const id = await harness.ask({ debugIds: [debugId] })
      let crashed = false
      const first = harness.startReprocessing(pipeline, MAP, {
        afterStep(now) {
          if (now !== step || crashed) return
          crashed = true
          throw new Error('crash')
        },
      })
      await until(() => crashed, 'it crashes')
      await first.stop()
      const second = harness.startReprocessing(pipeline, MAP)
      await harness.finished(id)
      await second.stop()
      await assertReprocessed(project, id)
    })
  }

  it('after each step in turn, in one reprocessing run, leaves every event once', async () => {
    const project = await harness.createProject('crash-all')
    const debugId = await appendMixture(project, 0x40)
    await seeEveryIssue(project)
    const id = await harness.ask({ debugIds: [debugId] })
    for (const step of REPROCESSING_STEPS) {
      let crashed = false
      const reprocessing = harness.startReprocessing(pipeline, MAP, {
        afterStep(now) {
          if (now !== step || crashed) return
          crashed = true
          throw new Error('crash')
        },
      })
      await until(
        async () => crashed || (await harness.reprocessing(id)).finished_ms !== null,
        `it crashes after ${step}`,
      )
      await reprocessing.stop()
    }
    await assertReprocessed(project, id)
  })
})
