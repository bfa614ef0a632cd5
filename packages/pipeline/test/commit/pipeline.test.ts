/** From appended envelopes to rows and issues, with real stores. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encodeIntakeRecord, type LogReader } from '@sonde/log'
import { deadLetters } from '../../src/index.ts'
import {
  errorEnvelope,
  queriesOneByOne,
  transactionEnvelope,
  eventIdOf,
  openHarness,
  until,
  type Harness,
} from './harness.ts'

describe('the pipeline', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('stores events, makes one issue per kind of error and counts every item', async () => {
    const project = await harness.createProject('stores')
    for (let id = 0; id < 6; id++) {
      await harness.append(
        project,
        errorEnvelope(0x100 + id, id % 2 ? 'Odd' : 'Even', { release: `shop@${id}` }),
      )
    }
    const seen: number[] = []
    const pipeline = await harness.start({ onCommit: ({ created }) => seen.push(...created) })
    await until(() => pipeline.state().events === 6, 'six events are stored')
    await pipeline.stop()

    const issues = await harness.issues(project)
    assert.deepEqual(
      issues.map((issue) => [issue.short_number, issue.title, issue.event_count]),
      [
        [1, 'Even: it broke', 3],
        [2, 'Odd: it broke', 3],
      ],
    )
    assert.deepEqual(
      seen,
      issues.map((issue) => issue.id),
    )
    assert.equal(issues[0]?.first_release, 'shop@0')
    assert.equal(issues[0]?.last_release, 'shop@4')
    assert.equal(issues[0]?.substatus, 'new')
    const events = await harness.events(project)
    assert.deepEqual(
      events.map((event) => event.event_id),
      [0, 1, 2, 3, 4, 5].map((id) => eventIdOf(0x100 + id)),
    )
    assert.deepEqual(new Set(events.map((event) => event.issue_id)), new Set(seen))
    assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 6 })
    const row = await harness.records
      .selectFrom('project')
      .selectAll()
      .where('id', '=', project)
      .executeTakeFirst()
    assert.ok(row?.first_event_ms)
  })

  it('gives the memory of records back once they are committed, and not before', async () => {
    const project = await harness.createProject('frees')
    const attached = `{"type":"attachment","length":5,"filename":"a.txt"}\nhello\n`
    for (const id of [0x180, 0x181]) await harness.append(project, errorEnvelope(id) + attached)
    const freed: number[] = []
    const tooEarly: number[] = []
    let committed = 0
    const watched = (log: LogReader): LogReader => ({
      ...log,
      async commit(position) {
        await log.commit(position)
        committed = position
      },
      free(records) {
        for (const { next, position } of records) (committed >= next ? freed : tooEarly).push(position)
        log.free?.(records)
      },
    })
    const pipeline = await harness.start({ workers: { threads: 1 } }, watched)
    await until(() => pipeline.state().events === 2 && freed.length === 2, 'both are stored and freed')
    await pipeline.stop()
    assert.deepEqual(tooEarly, [])
    assert.deepEqual(await harness.outcomes(project), { 'attachment/accepted/': 2, 'error/accepted/': 2 })
  })

  it('counts a repeated event id as a duplicate, within a batch and over batches, and makes no issue for it', async () => {
    const project = await harness.createProject('duplicates')
    await harness.append(project, errorEnvelope(0x200))
    await harness.append(project, errorEnvelope(0x200))
    const pipeline = await harness.start()
    await until(() => pipeline.state().duplicates === 1, 'the second is known')
    await harness.append(project, errorEnvelope(0x200, 'Elsewhere'))
    await until(() => pipeline.state().duplicates === 2, 'the third is known')
    await pipeline.stop()
    assert.equal((await harness.events(project)).length, 1)
    assert.deepEqual(
      (await harness.issues(project)).map((issue) => [issue.title, issue.event_count]),
      [['Boom: it broke', 1]],
    )
    assert.deepEqual(await harness.outcomes(project), {
      'error/accepted/': 1,
      'error/invalid/duplicate_event': 2,
    })
  })

  it('makes one issue of the queries that detectors find in transactions, counted but by no quota', async () => {
    const project = await harness.createProject('found')
    for (const id of [0x218, 0x219])
      await harness.append(project, transactionEnvelope(id, queriesOneByOne(6)))
    const pipeline = await harness.start()
    await until(() => pipeline.state().records === 2, 'both are stored')
    await pipeline.stop()
    assert.deepEqual(
      (await harness.issues(project)).map((issue) => [issue.type, issue.event_count]),
      [['performance_n_plus_one_db_queries', 2]],
    )
    assert.deepEqual(await harness.outcomes(project), {
      'span/accepted/': 16,
      'transaction/accepted/': 2,
    })
  })

  it('keeps the same event id of two projects apart', async () => {
    const one = await harness.createProject('apart-1')
    const two = await harness.createProject('apart-2')
    await harness.append(one, errorEnvelope(0x210))
    await harness.append(two, errorEnvelope(0x210))
    const pipeline = await harness.start()
    await until(() => pipeline.state().events === 2, 'both are stored')
    await pipeline.stop()
    assert.equal((await harness.events(one)).length, 1)
    assert.equal((await harness.issues(two))[0]?.short_number, 1)
  })

  it('counts items that are not shown yet, unknown ones with their sender, and client reports', async () => {
    const project = await harness.createProject('counted')
    const report = { discarded_events: [{ reason: 'sample_rate', category: 'transaction', quantity: 12 }] }
    const items = [
      ['transaction', {}],
      ['profile', {}],
      ['hologram', {}],
      ['client_report', report],
      ['event', { message: 'hello' }],
    ] as const
    const body = items.map(([type, payload]) => `{"type":"${type}"}\n${JSON.stringify(payload)}\n`).join('')
    const header = JSON.stringify({ event_id: eventIdOf(0x220), sdk: { name: 'sentry.javascript.browser' } })
    await harness.append(project, `${header}\n${body}`)
    await harness.append(project, `{}\n{"type":"event"}\n{"message":"cut off`)
    const pipeline = await harness.start()
    await until(() => pipeline.state().records === 2, 'both records are done')
    await pipeline.stop()
    assert.deepEqual(await harness.outcomes(project), {
      'default/accepted/': 1,
      'default/unsupported/unknown_kind:hologram:sentry.javascript.browser': 1,
      'error/invalid/bad_json': 1,
      'internal/accepted/': 1,
      'transaction/client_discard/sample_rate': 12,
      'profile/invalid/bad_payload': 1,
      'transaction/invalid/bad_span': 1,
    })
  })

  it('takes over what was counted at the door, and skips what was refused there', async () => {
    const project = await harness.createProject('door')
    const door = {
      projectId: project,
      keyId: 7,
      category: 'error',
      outcome: 'rate_limited',
      reason: 'key_quota',
      quantity: 40,
    }
    const meta = { v: 1, kind: 'outcomes', receivedMs: Date.now(), outcomes: [door] } as const
    await harness.writer.append(encodeIntakeRecord(meta, new Uint8Array()))
    await harness.append(project, errorEnvelope(0x230), { skip: [0] })
    const pipeline = await harness.start()
    await until(() => pipeline.state().records === 2, 'both records are done')
    await pipeline.stop()
    assert.deepEqual(await harness.outcomes(project), { 'error/rate_limited/key_quota': 40 })
  })

  it('reopens a resolved issue as regressed, and leaves an ignored one alone', async () => {
    const project = await harness.createProject('regress')
    await harness.append(project, errorEnvelope(0x240, 'Solved'))
    await harness.append(project, errorEnvelope(0x241, 'Noise'))
    const regressed: number[] = []
    const pipeline = await harness.start({ onCommit: (batch) => regressed.push(...batch.regressed) })
    await until(() => pipeline.state().events === 2, 'both are stored')
    const set = (title: string, status: 'resolved' | 'ignored') =>
      harness.records
        .updateTable('issue')
        .set({ status })
        .where('project_id', '=', project)
        .where('title', 'like', title)
        .execute()
    await set('Solved%', 'resolved')
    await set('Noise%', 'ignored')
    await harness.append(project, errorEnvelope(0x242, 'Solved', { release: 'shop@2' }))
    await harness.append(project, errorEnvelope(0x243, 'Noise'))
    await until(() => pipeline.state().events === 4, 'both came again')
    await pipeline.stop()
    const [solved, noise] = await harness.issues(project)
    assert.deepEqual([solved?.status, solved?.substatus], ['unresolved', 'regressed'])
    assert.equal(solved?.regressed_release, 'shop@2')
    assert.equal(noise?.regressed_release, '')
    assert.deepEqual([noise?.status, noise?.event_count], ['ignored', 2])
    assert.deepEqual(regressed, [solved?.id])
  })

  it('knows an event again for 14 days from its receipt, and when an older record is replayed', async () => {
    const project = await harness.createProject('late')
    const dayMs = 24 * 3600 * 1000
    const nowMs = Date.now()
    const receipts = [nowMs - 40 * dayMs, nowMs - 27 * dayMs, nowMs, nowMs - 40 * dayMs]
    for (const [at, receivedMs] of receipts.entries()) {
      await harness.append(project, errorEnvelope(0x248), { receivedMs })
      const pipeline = await harness.start()
      await until(() => pipeline.state().records === 1, `receipt ${at} is done`)
      await pipeline.stop()
    }
    assert.deepEqual(await harness.outcomes(project), {
      'error/accepted/': 2,
      'error/invalid/duplicate_event': 2,
    })
  })

  it('counts events of a project that is gone as invalid, and goes on', async () => {
    const project = await harness.createProject('survivor')
    await harness.append(999_999, errorEnvelope(0x250))
    await harness.append(project, errorEnvelope(0x251))
    const pipeline = await harness.start()
    await until(() => pipeline.state().records === 2, 'both records are done')
    await pipeline.stop()
    assert.deepEqual(await harness.outcomes(999_999), { 'error/invalid/project_gone': 1 })
    assert.equal((await harness.events(project)).length, 1)
  })

  it('keeps what cannot be read as a dead letter, and stores what stood beside it', async () => {
    const project = await harness.createProject('dead')
    await harness.writer.append(Buffer.from('no intake record'))
    await harness.append(project, 'no envelope', { eventId: eventIdOf(0x260) })
    await harness.append(project, errorEnvelope(0x261))
    const pipeline = await harness.start()
    await until(() => pipeline.state().records === 3, 'all records are done')
    assert.equal(pipeline.state().dead, 2)
    const dead = deadLetters(harness)
    const [second, first] = await dead.list({ waitingOnly: true })
    assert.deepEqual(
      [first?.reason, second?.reason, second?.projectId],
      ['record_unreadable', 'envelope_unreadable', project],
    )
    assert.deepEqual(await harness.outcomes(project), {
      'default/failed/digest_error': 1,
      'error/accepted/': 1,
    })

    await dead.replay(second?.id ?? 0, (bytes) => harness.writer.append(bytes))
    await until(() => pipeline.state().dead === 3, 'it failed again, as a new letter')
    await pipeline.stop()
    assert.equal(await dead.waiting(), 2)
    await assert.rejects(
      dead.replay(123_456, () => Promise.resolve()),
      /there is none/,
    )
  })
})
