/** In which releases and environments an issue was seen first: each is told once. Real log, SQLite and chDB. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { firstSeenIn } from '../../src/commit/note-first-seen.ts'
import { errorEnvelope, openHarness, until, type Harness } from './harness.ts'

describe('where an issue was first seen', () => {
  let harness: Harness
  let id = 0x9000
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  const changesOf = async (project: number) => {
    const rows = await harness.records
      .selectFrom('issue_change')
      .select(['kind', 'event_id'])
      .where('project_id', '=', project)
      .orderBy('id')
      .execute()
    const seen = await harness.events(project)
    for (const { event_id } of rows) assert.ok(seen.some((event) => event.event_id === event_id))
    return rows.map(({ kind }) => kind)
  }
  const seenOf = async (project: number) =>
    (
      await harness.records
        .selectFrom('issue_seen')
        .innerJoin('issue', 'issue.id', 'issue_seen.issue_id')
        .select(['issue_seen.kind', 'issue_seen.name'])
        .where('issue.project_id', '=', project)
        .orderBy('issue_seen.kind')
        .orderBy('issue_seen.name')
        .execute()
    ).map(({ kind, name }) => `${kind} ${name}`)

  it('another release and another environment are told once, those that it began in not beside it', async (t) => {
    const project = await harness.createProject('seen')
    const send = async (release: string, environment: string) => {
      const pipeline = await harness.start()
      await harness.append(project, errorEnvelope(id++, 'Boom', { release, environment }))
      await until(() => pipeline.state().events === 1, 'an event is stored')
      await pipeline.stop()
    }
    await send('shop@1', 'production')
    assert.deepEqual(await changesOf(project), ['new'])
    await send('shop@1', 'production')
    await send('shop@2', 'production')
    assert.deepEqual(await changesOf(project), ['new', 'first_seen_in_release'])
    await send('shop@2', 'staging')
    await send('shop@1', 'staging')
    await send('shop@2', 'production')
    assert.deepEqual(await changesOf(project), ['new', 'first_seen_in_release', 'first_seen_in_environment'])
    const seen = ['environment production', 'environment staging', 'release shop@1', 'release shop@2']
    assert.deepEqual(await seenOf(project), seen)
    t.diagnostic('each with a pipeline of its own, so nothing was remembered in between')
  })

  it('an issue that nobody wrote down before begins without a word', async (t) => {
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    const project = await harness.createProject('before')
    const send = async (environment: string) => {
      const before = pipeline.state().events
      await harness.append(project, errorEnvelope(id++, 'Old', { environment }))
      await until(() => pipeline.state().events === before + 1, 'an event is stored')
    }
    await send('production')
    // As an earlier version left it.
    await harness.records.deleteFrom('issue_seen').execute()
    await send('staging')
    assert.deepEqual(await changesOf(project), ['new'])
    await send('preview')
    assert.deepEqual(await changesOf(project), ['new', 'first_seen_in_environment'])
  })

  it('an issue has a first time a thousand times, and none that was deleted has one', async () => {
    const project = await harness.createProject('many')
    const { id: issueId } = await harness.records
      .insertInto('issue')
      .values({
        project_id: project,
        short_number: 1,
        type: 'error',
        level: 'error',
        title: 'E',
        culprit: '',
        platform: 'node',
        metadata: '{}',
        logger: '',
        is_unhandled: 0,
        first_seen_ms: 1,
        last_seen_ms: 1,
        event_count: 1,
        first_release: '',
        last_release: '',
        last_event_id: '',
        created_ms: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const noteOf = async (releases: readonly string[], ofIssue = issueId) => {
      const events = releases.map((release, at) => ({
        projectId: project,
        eventId: String(at).padStart(32, '0'),
        issue: { release, environment: '', timestampMs: at },
      })) as unknown as Parameters<typeof firstSeenIn>[1]
      const issueOf = new Map(events.map((event) => [event, ofIssue]))
      return (await firstSeenIn({}, events, issueOf).note(harness.records, new Map())).length
    }
    assert.equal(await noteOf(['r0']), 0)
    const many = Array.from({ length: 2_500 }, (_, at) => `r${at}`)
    // A batch that began below the bound is written whole; a part of it is as long as a statement takes.
    assert.equal(await noteOf(many), 1_999)
    assert.equal(await noteOf(['another']), 0)
    assert.equal(await noteOf(['r1'], issueId + 1_000), 0)
  })
})
