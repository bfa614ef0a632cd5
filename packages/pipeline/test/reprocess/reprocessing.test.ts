/** What a reprocessing run does to events and issues, and what it leaves alone. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { RunningJob } from '@sonde/jobs'
import type { Pipeline } from '../../src/index.ts'
import type { ReprocessingChange } from '../../src/reprocess/reprocessing-cursor.ts'
import { eventIdOf } from '../commit/harness.ts'
import type { LateMap } from './late-map.ts'
import { openReprocessingHarness, type ReprocessingHarness, until } from './reprocessing-harness.ts'
import { debugIdOf, type ScriptError, scriptError } from './script-error.ts'

let harness: ReprocessingHarness
let pipeline: Pipeline
let reprocessing: RunningJob | undefined

let names = 0
/** A project of its own with these errors stored, all of one script. */
async function stored(errors: readonly Partial<ScriptError>[]) {
  const at = ++names
  const project = await harness.createProject(`p${at}`)
  const debugId = debugIdOf(at)
  const append = async (error: Partial<ScriptError>, index: number): Promise<void> => {
    const whole = { id: index, value: 'a broke', column: 400, debugId, ageMs: 60_000 - index * 100 }
    await harness.append(project, scriptError({ ...whole, ...error, id: at * 0x100 + (error.id ?? index) }))
  }
  for (const [index, error] of errors.entries()) await append(error, index + 1)
  await harness.stored(project, errors.length)
  return { project, debugId, append }
}

async function reprocessed(debugId: string, map: LateMap, onChange?: (change: ReprocessingChange) => void) {
  const id = await harness.ask({ debugIds: [debugId] })
  reprocessing = harness.startReprocessing(pipeline, map, onChange && { onChange })
  await harness.finished(id)
  await reprocessing.stop()
  return harness.reprocessing(id)
}

describe('reprocessing', () => {
  before(async () => {
    harness = await openReprocessingHarness()
    pipeline = await harness.start()
  })

  afterEach(() => reprocessing?.stop())

  after(async () => {
    await pipeline.stop()
    await harness.close()
  })

  describe('a late map', () => {
    it('keeps the id of an issue whose events are all the same error', async () => {
      const { project, debugId } = await stored([{}, {}, {}])
      const [before] = await harness.issues(project)
      const changes: ReprocessingChange[] = []
      await reprocessed(debugId, { 400: 'pay' }, (change) => changes.push(change))
      const [issue, ...more] = await harness.issues(project)
      assert.deepEqual([issue?.id, issue?.title, more.length], [before?.id, 'in pay', 0])
      assert.deepEqual(changes, [{ projects: [project], issues: [before?.id], created: [], regressed: [] }])
      assert.deepEqual(await harness.misplaced(project), [])
    })

    it('changes nothing where it leads nowhere', async () => {
      const { project, debugId } = await stored([{}, { value: 'b broke' }])
      const before = [await harness.issues(project), await harness.events(project)]
      const row = await reprocessed(debugId, {})
      assert.deepEqual([await harness.issues(project), await harness.events(project)], before)
      assert.deepEqual([row.seen_count, row.changed_count], [2, 0])
    })

    it('corrected, reprocesses what the wrong one made', async () => {
      const { project, debugId } = await stored([{}, { column: 500 }, { value: 'b broke', column: 500 }])
      await reprocessed(debugId, { 400: 'pay', 500: 'pay' })
      assert.deepEqual(await harness.shown(project), { '1 in pay (3)': ['1', '2', '3'] })
      await reprocessed(debugId, { 400: 'pay', 500: 'total' })
      assert.deepEqual(await harness.shown(project), { '1 in pay (1)': ['1'], '3 in total (2)': ['2', '3'] })
      assert.deepEqual(await harness.misplaced(project), [])
    })

    it('leads on through two merges', async () => {
      const { project, debugId } = await stored([
        { value: 'c broke', column: 500 },
        { value: 'a broke' },
        { value: 'b broke' },
      ])
      const [, , third] = await harness.issues(project)
      await reprocessed(debugId, { 400: 'pay', 500: 'total' })
      await reprocessed(debugId, { 400: 'total', 500: 'total' })
      const [first, ...more] = await harness.issues(project)
      assert.deepEqual([first?.event_count, more.length], [3, 0])
      const redirect = await harness.records
        .selectFrom('issue_redirect')
        .select('into_issue_id')
        .where('from_issue_id', '=', third?.id ?? 0)
        .executeTakeFirst()
      assert.equal(redirect?.into_issue_id, first?.id)
    })

    it('takes the links to issue trackers along, each once', async () => {
      const { project, debugId } = await stored([{ value: 'a broke' }, { value: 'b broke' }])
      const [first, second] = await harness.issues(project)
      const { org_id } = await harness.records
        .selectFrom('project')
        .select('org_id')
        .where('id', '=', project)
        .executeTakeFirstOrThrow()
      const link = {
        url: '',
        title: '',
        state: 'open',
        changed_ms: 0,
        synced_ms: 0,
        created_by: '',
        created_ms: 0,
        wanted: '',
        next_attempt_ms: 0,
      } as const
      const common = { name: 'x', created_by: '', created_ms: 0, updated_ms: 0 }
      const { id: connection_id } = await harness.records
        .insertInto('tracker_connection')
        .values({ ...common, org_id, kind: 'github', settings: '{}', secret: '', sync_in: 1, sync_out: 1 })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const [issue, external_id] of [
        [first, 'both'],
        [second, 'both'],
        [first, 'of the first'],
        [second, 'of the second'],
      ] as const)
        await harness.records
          .insertInto('tracker_link')
          .values({ connection_id, issue_id: issue?.id ?? 0, external_id, external_key: '', ...link })
          .execute()
      await reprocessed(debugId, { 400: 'pay' })
      const [one, ...more] = await harness.issues(project)
      assert.equal(more.length, 0)
      const links = await harness.records
        .selectFrom('tracker_link')
        .select(['issue_id', 'external_id'])
        .orderBy('external_id')
        .execute()
      assert.deepEqual(
        links.map((link) => [link.issue_id, link.external_id]),
        ['both', 'of the first', 'of the second'].map((name) => [one?.id, name]),
      )
    })

    it('of one release joins the issue that another release made readable', async () => {
      const { project, debugId } = await stored([{ value: 'a broke', release: 'shop@1' }])
      await reprocessed(debugId, { 400: 'pay' })
      const later = debugIdOf(0x1000)
      await harness.append(
        project,
        scriptError({ id: 0xf00, value: 'b broke', column: 700, debugId: later, release: 'shop@2' }),
      )
      await harness.stored(project, 2)
      await reprocessed(later, { 700: 'pay' })
      const [issue, ...more] = await harness.issues(project)
      assert.equal(more.length, 0)
      assert.deepEqual(
        [issue?.event_count, issue?.first_release, issue?.last_release, issue?.last_event_id],
        [2, 'shop@1', 'shop@2', eventIdOf(0xf00)],
      )
    })

    it('moves first and last seen with the events', async () => {
      const { project, debugId } = await stored([
        { value: 'a broke', column: 400, ageMs: 50_000, release: 'shop@1' },
        { value: 'b broke', column: 500, ageMs: 90_000, release: 'shop@0' },
        { value: 'b broke', column: 400, ageMs: 10_000, release: 'shop@2' },
        { value: 'b broke', column: 500, ageMs: 70_000, release: 'shop@0' },
      ])
      const [a, b] = await harness.issues(project)
      await reprocessed(debugId, { 400: 'pay', 500: 'total' })
      const [pay, total] = await harness.issues(project)
      assert.deepEqual(
        [pay?.title, pay?.first_seen_ms, pay?.last_seen_ms, pay?.first_release, pay?.last_release],
        ['in pay', a?.first_seen_ms, b?.last_seen_ms, 'shop@1', 'shop@2'],
      )
      assert.deepEqual(
        [total?.title, total?.first_seen_ms, total?.first_release, total?.last_release, total?.event_count],
        ['in total', b?.first_seen_ms, 'shop@0', 'shop@0', 2],
      )
      assert.equal((total?.last_seen_ms ?? 0) - (total?.first_seen_ms ?? 0), 20_000)
    })

    it('gives a part that is split off the decision about the whole', async () => {
      const { project, debugId } = await stored([{ column: 400 }, { column: 500 }])
      await harness.records
        .updateTable('issue')
        .set({ status: 'ignored', substatus: 'archived_forever' })
        .where('project_id', '=', project)
        .execute()
      await reprocessed(debugId, { 400: 'pay', 500: 'total' })
      assert.deepEqual(
        (await harness.issues(project)).map(({ title, status }) => `${title} ${status}`),
        ['in pay ignored', 'in total ignored'],
      )
    })

    it('lets a part that is split off wait for as much as the whole, of events that come anew', async () => {
      const { project, debugId } = await stored([{ column: 400 }, { column: 500 }, { column: 500 }])
      const [whole] = await harness.issues(project)
      await harness.records
        .updateTable('issue')
        .set({ status: 'ignored', substatus: 'archived_until_condition_met' })
        .where('project_id', '=', project)
        .execute()
      const promise = { until_ms: 9e15, event_count: 2, event_minutes: null, user_count: 7, user_minutes: 60 }
      await harness.records
        .insertInto('issue_snooze')
        .values({
          ...promise,
          issue_id: whole?.id ?? 0,
          is_until_escalating: 0,
          started_ms: 1,
          base_count: 3,
          looked_count: 3,
        })
        .execute()
      await reprocessed(debugId, { 400: 'pay', 500: 'total' })
      const snoozes = async () =>
        harness.records
          .selectFrom('issue_snooze')
          .innerJoin('issue', 'issue.id', 'issue_snooze.issue_id')
          .select(['issue.title', 'issue.event_count as events', 'base_count', 'looked_count'])
          .select(['until_ms', 'issue_snooze.event_count', 'event_minutes', 'user_count', 'user_minutes'])
          .where('project_id', '=', project)
          .orderBy('issue.id')
          .execute()
      const [pay, total] = [
        { title: 'in pay', events: 1, base_count: 1, looked_count: 1, ...promise },
        { title: 'in total', events: 2, base_count: 2, looked_count: 2, ...promise },
      ]
      assert.deepEqual(await snoozes(), [pay, total])
      // None of those that come with the other is one that the whole waited for.
      await reprocessed(debugId, { 400: 'pay', 500: 'pay' })
      assert.deepEqual(await snoozes(), [{ ...pay, events: 3, base_count: 3, looked_count: 3 }])
    })

    it('takes the count of events that retention removed along', async () => {
      const { project, debugId } = await stored([{ value: 'a broke' }, { value: 'b broke' }])
      const [, second] = await harness.issues(project)
      await harness.records
        .updateTable('issue')
        .set({ event_count: 41 })
        .where('id', '=', second?.id ?? 0)
        .execute()
      await reprocessed(debugId, { 400: 'pay' })
      assert.deepEqual(
        (await harness.issues(project)).map((issue) => issue.event_count),
        [42],
      )
    })

    it('reprocesses many events of many issues, page by page', async () => {
      const errors = Array.from({ length: 180 }, (_, at) => ({
        value: `${String.fromCharCode(97 + (at % 9)).repeat(3)} broke`,
        column: 400 + (at % 3),
      }))
      const { project, debugId } = await stored(errors)
      assert.equal((await harness.issues(project)).length, 9)
      const row = await reprocessed(debugId, { 400: 'pay', 401: 'total', 402: 'ship' })
      assert.deepEqual([row.seen_count, row.changed_count, row.merged_count], [180, 180, 6])
      assert.deepEqual(
        (await harness.issues(project)).map(({ title, event_count }) => `${title} ${event_count}`),
        ['in pay 60', 'in total 60', 'in ship 60'],
      )
      assert.deepEqual(await harness.misplaced(project), [])
    })
  })

  describe('what is looked at', () => {
    it('is what one of thousands of debug ids names, in every project of the organization', async () => {
      const { project, debugId } = await stored([{}])
      const others = Array.from({ length: 2_500 }, (_, at) => debugIdOf(0x10_0000 + at))
      const id = await harness.ask({ debugIds: [...others, debugId], projectIds: [project + 1_000] })
      reprocessing = harness.startReprocessing(pipeline, { 400: 'pay' })
      await harness.finished(id)
      assert.deepEqual(await harness.shown(project), { '1 in pay (1)': ['1'] })
      assert.equal((await harness.reprocessing(id)).total_count, 1)
    })

    it('by release is what is not readable of the projects that are named', async () => {
      const mine = await stored([{ release: 'late@1' }, { release: 'late@2', value: 'b broke' }])
      const other = await stored([{ release: 'late@1' }])
      const id = await harness.ask({ projectIds: [mine.project], release: 'late@1' })
      reprocessing = harness.startReprocessing(pipeline, { 400: 'pay' })
      await harness.finished(id)
      const again = await harness.ask({ projectIds: [mine.project], release: 'late@1' })
      await harness.finished(again)
      assert.deepEqual(await harness.shown(mine.project), {
        '1 in pay (1)': ['1'],
        '2 TypeError: b broke (1)': ['2'],
      })
      assert.deepEqual(await harness.shown(other.project), { '1 TypeError: a broke (1)': ['1'] })
      assert.deepEqual(
        [(await harness.reprocessing(id)).seen_count, (await harness.reprocessing(again)).seen_count],
        [1, 0],
      )
    })

    it('of a project is everything that is not readable, when somebody asks', async () => {
      const { project } = await stored([{ release: 'x@1' }, { release: 'x@2' }])
      const upload = await harness.ask({ projectIds: [project] })
      const asked = await harness.ask({ projectIds: [project] }, 'asked')
      reprocessing = harness.startReprocessing(pipeline, { 400: 'pay' })
      await harness.finished(asked)
      assert.deepEqual(
        [(await harness.reprocessing(upload)).seen_count, (await harness.reprocessing(asked)).seen_count],
        [0, 2],
      )
      const audit = await harness.records
        .selectFrom('audit_entry')
        .select('detail')
        .where('action', '=', 'artifacts.repair')
        .execute()
      const own = audit.filter(({ detail }) =>
        [upload, asked].includes((JSON.parse(detail) as { repair: number }).repair),
      )
      assert.equal(own.length, 1)
    })
  })

  describe('meanwhile', () => {
    it('events of before that are committed while it works are reprocessed too, in the merged issue', async () => {
      const { project, debugId, append } = await stored([{ value: 'a broke' }, { value: 'b broke' }])
      const id = await harness.ask({ debugIds: [debugId] })
      let appended = false
      reprocessing = harness.startReprocessing(
        pipeline,
        { 400: 'pay' },
        {
          async afterStep(step) {
            // Of both issues; the first pass is over what was there before.
            if (step !== 'merged' || appended) return
            appended = true
            await append({ value: 'b broke' }, 3)
            await append({ value: 'a broke' }, 4)
            await until(async () => (await harness.events(project)).length === 4, 'they are stored')
          },
        },
      )
      await harness.finished(id)
      assert.deepEqual(await harness.shown(project), { '1 in pay (4)': ['1', '2', '3', '4'] })
      assert.deepEqual(await harness.misplaced(project), [])
    })

    it('no issue goes while a batch may hold events of it', async () => {
      const { project, debugId, append } = await stored([{ value: 'a broke' }, { value: 'b broke' }])
      await pipeline.stop()
      const marked = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      pipeline = await harness.start({
        async afterStep(step) {
          if (step !== 'marked') return
          marked.resolve()
          await goOn.promise
        },
      })
      await append({ value: 'b broke' }, 3)
      await marked.promise
      const id = await harness.ask({ debugIds: [debugId] })
      let merges = 0
      reprocessing = harness.startReprocessing(
        pipeline,
        { 400: 'pay' },
        {
          afterStep(step) {
            if (step === 'merged') merges++
          },
        },
      )
      await until(async () => (await harness.reprocessing(id)).moved_count === 1, 'its events are moved')
      assert.equal(merges, 0)
      assert.equal((await harness.issues(project)).length, 2)
      goOn.resolve()
      await harness.finished(id)
      assert.deepEqual(await harness.shown(project), { '1 in pay (3)': ['1', '2', '3'] })
      assert.deepEqual(await harness.misplaced(project), [])
      await pipeline.stop()
      pipeline = await harness.start()
    })

    it('a project that is deleted leaves no rows behind', async () => {
      const { project, debugId } = await stored([{}, { value: 'b broke' }])
      const id = await harness.ask({ debugIds: [debugId] })
      reprocessing = harness.startReprocessing(
        pipeline,
        { 400: 'pay' },
        {
          async afterStep(step) {
            if (step === 'planned')
              await harness.records.deleteFrom('project').where('id', '=', project).execute()
          },
        },
      )
      await harness.finished(id)
      assert.deepEqual(await harness.events(project), [])
      assert.deepEqual(await harness.misplaced(project), [])
    })

    it('a project that goes while it is read does not keep the next from being reprocessed', async () => {
      const gone = await stored([{}])
      const next = await harness.createProject(`after-${gone.project}`)
      await harness.append(
        next,
        scriptError({ id: 0xe01, value: 'a broke', column: 400, debugId: gone.debugId }),
      )
      await harness.stored(next, 1)
      const id = await harness.ask({ debugIds: [gone.debugId] })
      reprocessing = harness.startReprocessing(
        pipeline,
        { 400: 'pay' },
        {
          async afterStep(step) {
            if (step === 'read')
              await harness.records.deleteFrom('project').where('id', '=', gone.project).execute()
          },
        },
      )
      await harness.finished(id)
      assert.deepEqual(await harness.shown(next), { '1 in pay (1)': ['1'] })
    })

    it('events that vanish are not put back', async () => {
      const { project, debugId } = await stored([{}, {}])
      const id = await harness.ask({ debugIds: [debugId] })
      const first = harness.startReprocessing(
        pipeline,
        { 400: 'pay' },
        {
          async afterStep(step) {
            if (step !== 'planned') return
            await harness.telemetry.command(
              `DELETE FROM events WHERE project_id = ${project} AND event_id = '${(await harness.events(project))[0]?.event_id}'`,
            )
            throw new Error('crash')
          },
        },
      )
      await until(async () => (await harness.reprocessing(id)).trouble === 'crash', 'it crashes')
      await first.stop()
      reprocessing = harness.startReprocessing(pipeline, { 400: 'pay' })
      await harness.finished(id)
      assert.equal((await harness.events(project)).length, 1)
      assert.equal((await harness.reprocessing(id)).changed_count, 1)
    })

    it('says why it waits, and goes on by itself', async () => {
      const { project, debugId } = await stored([{}])
      const id = await harness.ask({ debugIds: [debugId] })
      let failures = 0
      reprocessing = harness.startReprocessing(
        pipeline,
        { 400: 'pay' },
        {
          telemetry: {
            ...harness.telemetry,
            insert(table, rows, token) {
              if (table !== 'events' || failures++ > 0) return harness.telemetry.insert(table, rows, token)
              return Promise.reject(new Error('the disk is full'))
            },
          },
        },
      )
      await until(
        async () => (await harness.reprocessing(id)).trouble === 'the disk is full',
        'the trouble shows',
      )
      await harness.finished(id)
      assert.equal((await harness.reprocessing(id)).trouble, '')
      assert.deepEqual(await harness.shown(project), { '1 in pay (1)': ['1'] })
    })
  })
})
