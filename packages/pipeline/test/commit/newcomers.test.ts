/** Whoever has a DSN can give each event a fingerprint and a release of its own: how many a minute makes is bounded. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { writeTransaction } from '@sonde/stores'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { resolveIssues } from '../../src/commit/resolve-issues.ts'
import type { ProcessedEvent } from '../../src/process/processed.ts'
import { errorEnvelope, eventIdOf, openHarness, until, type Harness } from './harness.ts'

let harness: Harness

const MINUTE_MS = 60_000
/** The start of an hour, some hours ago. */
const HOUR_MS = (Math.floor(Date.now() / 3_600_000) - 3) * 3_600_000

const issueNames = async (project: number) =>
  (await harness.issues(project)).map(({ title }) => title.split(':')[0])
const outcomesOf = async (project: number) => {
  const { 'error/accepted/': accepted = 0, 'error/rate_limited/new_issues': held = 0 } =
    await harness.outcomes(project)
  return { accepted, held }
}
const newcomers = (project: number) =>
  harness.records.selectFrom('newcomer').selectAll().where('project_id', '=', project).execute()

/** An event with a file beside it. */
function withFile(id: number, kind: string): string {
  return `${errorEnvelope(id, kind)}{"type":"attachment","length":4,"filename":"a.txt"}\nfile\n`
}

describe('newcomers', () => {
  before(async () => {
    harness = await openHarness()
  })

  after(() => harness.close())

  describe('issues that are new', () => {
    it('are bounded by the minute: ten thousand fingerprints of a stranger make a hundred issues', async (t) => {
      const [flooded, other] = [await harness.createProject('flooded'), await harness.createProject('other')]
      const receivedMs = HOUR_MS
      await harness.append(flooded, errorEnvelope(1, 'KnownBefore'), { receivedMs: receivedMs - MINUTE_MS })
      const flood = Array.from({ length: 10_000 }, (_, at) => {
        const fingerprint = [`made up ${at}`]
        return harness.append(flooded, errorEnvelope(0x10_000 + at, 'Flood', { fingerprint }), { receivedMs })
      })
      await Promise.all(flood)
      await harness.append(flooded, errorEnvelope(2, 'KnownBefore'), { receivedMs })
      await harness.append(other, errorEnvelope(3, 'Elsewhere'), { receivedMs })
      const pipeline = await harness.start({ newcomers: { issue: 100 } })
      t.after(() => pipeline.stop())
      await until(() => pipeline.state().records === 10_003, 'everything is done', 120_000)
      assert.equal((await harness.issues(flooded)).length, 101)
      assert.deepEqual(await outcomesOf(flooded), { accepted: 102, held: 9_900 })
      assert.equal((await harness.events(flooded)).length, 102)
      const known = (await harness.issues(flooded)).find(({ title }) => title.startsWith('KnownBefore'))
      assert.equal(known?.event_count, 2, 'what is known goes on')
      assert.deepEqual(await outcomesOf(other), { accepted: 1, held: 0 })
      assert.deepEqual(
        (await newcomers(flooded)).map(({ made, held }) => [made, held]),
        [
          [1, 0],
          [100, 9_900],
        ],
      )
    })

    it('have room again in the next minute, until the hour has had twenty times as many', async (t) => {
      const project = await harness.createProject('minutes')
      for (let minute = 0; minute <= 60; minute++)
        for (let at = 0; at < 3; at++) {
          const id = 0x20_000 + minute * 16 + at
          const receivedMs = HOUR_MS + minute * MINUTE_MS
          await harness.append(project, errorEnvelope(id, `M${minute}N${at}`), { receivedMs })
        }
      const pipeline = await harness.start({ newcomers: { issue: 2 } })
      t.after(() => pipeline.stop())
      await until(() => pipeline.state().records === 183, 'everything is done')
      const names = await issueNames(project)
      const expected = [...Array.from({ length: 20 }, (_, minute) => minute), 60].flatMap((minute) => [
        `M${minute}N0`,
        `M${minute}N1`,
      ])
      assert.deepEqual(names, expected)
    })

    it('take the files of their events with them', async (t) => {
      const project = await harness.createProject('files')
      for (const [at, kind] of ['One', 'Two', 'One'].entries())
        await harness.append(project, withFile(0x30_000 + at, kind), {
          receivedMs: HOUR_MS,
          eventId: eventIdOf(0x30_000 + at),
        })
      const pipeline = await harness.start({ newcomers: { issue: 1 } })
      t.after(() => pipeline.stop())
      await until(() => pipeline.state().records === 3, 'everything is done')
      assert.deepEqual(await harness.outcomes(project), {
        'attachment/accepted/': 2,
        'attachment/rate_limited/new_issues': 1,
        'error/accepted/': 2,
        'error/rate_limited/new_issues': 1,
      })
      const files = await harness.records
        .selectFrom('attachment')
        .select('event_id')
        .where('project_id', '=', project)
        .execute()
      assert.deepEqual(
        files.map((file) => file.event_id).toSorted((a, b) => a.localeCompare(b)),
        [eventIdOf(0x30_000), eventIdOf(0x30_002)],
      )
    })

    for (const [at, step] of COMMIT_STEPS.entries()) {
      it(`are the same ones after a crash after "${step}", also when there is room meanwhile`, async () => {
        const project = await harness.createProject(`crash-${step}`)
        const firstId = 0x40_000 + at * 0x10
        // The third is over the limit of its minute; the fourth is the same issue in a minute with room.
        for (const [index, [kind, minute]] of (
          [
            ['A', 0],
            ['B', 0],
            ['C', 0],
            ['C', 1],
            ['A', 1],
          ] as const
        ).entries())
          await harness.append(project, errorEnvelope(firstId + index, kind), {
            receivedMs: HOUR_MS + minute * MINUTE_MS,
          })
        let crashed = false
        const first = await harness.start({
          newcomers: { issue: 2 },
          afterStep(now) {
            if (now !== step) return
            crashed = true
            throw new Error('crash')
          },
        })
        await until(() => crashed, 'it crashes')
        await first.stop()
        const later = await harness.createProject(`later-${step}`)
        await harness.append(later, errorEnvelope(firstId + 9))
        const second = await harness.start({ newcomers: { issue: 2 } })
        await until(async () => (await harness.events(later)).length === 1, 'the rest is stored')
        await second.stop()
        assert.deepEqual(await issueNames(project), ['A', 'B', 'C'])
        assert.deepEqual(
          (await harness.issues(project)).map((issue) => issue.event_count),
          [2, 1, 1],
        )
        assert.equal((await harness.events(project)).length, 4)
        assert.deepEqual(await outcomesOf(project), { accepted: 4, held: 1 })
        const state = await harness.records.selectFrom('pipeline_state').select('held').executeTakeFirst()
        assert.equal(state?.held, null)
      })
    }
  })

  it('hashes that lead to a known issue are bounded too, and their events are taken', async () => {
    const projectId = await harness.createProject('hashes')
    const issue = {
      timestampMs: HOUR_MS,
      type: 'error',
      level: 'error',
      title: 'Known',
      culprit: '',
      platform: 'node',
      metadata: '{}',
      logger: '',
      isUnhandled: false,
      release: '',
      environment: '',
    }
    const events = Array.from({ length: 500 }, (_, at): ProcessedEvent => ({
      position: at,
      itemIndex: 0,
      projectId,
      keyId: 1,
      eventId: eventIdOf(at),
      category: 'error',
      receivedMs: HOUR_MS,
      row: '',
      hashes: ['of the application', `around it ${at}`],
      issue,
      userKey: '',
      noise: '',
    }))
    const resolved = await writeTransaction(harness.records, (tx) =>
      resolveIssues(tx, events, HOUR_MS, new Map(), { perMinute: 3, isHeld: undefined }),
    )
    assert.deepEqual([resolved.created.length, resolved.held.size, resolved.issueOf.size], [1, 0, 500])
    const rows = await harness.records
      .selectFrom('issue_hash')
      .select('hash')
      .where('project_id', '=', projectId)
      .execute()
    assert.equal(rows.length, 2 + 30)
  })

  describe('releases that are new', () => {
    const listed = async () =>
      (await harness.records.selectFrom('release').select('version').orderBy('version').execute()).map(
        ({ version }) => version,
      )

    it('are bounded by the minute: their events are stored, and they are listed when there is room', async (t) => {
      const project = await harness.createProject('releases')
      const pipeline = await harness.start({ newcomers: { release: 2 } })
      t.after(() => pipeline.stop())
      const send = async (version: string, id: number, receivedMs: number) => {
        const { records } = pipeline.state()
        await harness.append(project, errorEnvelope(0x50_000 + id, 'Boom', { release: version }), {
          receivedMs,
        })
        await until(() => pipeline.state().records === records + 1, `${version} is stored`)
      }
      await harness.records
        .insertInto('release')
        .values({ org_id: 1, version: 'made by hand', created_ms: 0 })
        .execute()
      for (const [at, version] of ['v1', 'v2', 'v3', 'v4', 'made by hand', 'v1'].entries())
        await send(version, at, HOUR_MS)
      assert.deepEqual(await listed(), ['made by hand', 'v1', 'v2'])
      assert.equal((await harness.events(project)).length, 6)
      assert.deepEqual(await outcomesOf(project), { accepted: 6, held: 0 })
      await send('v4', 10, HOUR_MS + MINUTE_MS)
      assert.deepEqual(await listed(), ['made by hand', 'v1', 'v2', 'v4'])
      assert.deepEqual(
        (await newcomers(project)).map(({ kind, made, held }) => [kind, made, held]),
        [
          ['release', 2, 2],
          ['release', 1, 0],
        ],
      )
    })
  })
})
