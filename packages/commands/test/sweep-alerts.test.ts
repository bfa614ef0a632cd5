/** What alerts leave behind goes with its age; what is open or not looked at stays. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject } from '@sonde/commands'
import { type IssueChangeKind, noteIssueChanges } from '@sonde/stores'
import { sweepAlerts } from '../src/deletion/sweep-alerts.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000
const OLD_MS = NOW_MS - 91 * DAY_MS
const RECENT_MS = NOW_MS - 89 * DAY_MS

describe('what alerts left', () => {
  let harness: Harness
  let project: number
  let issueId: number
  let ruleId: number
  before(async () => {
    harness = await openHarness()
    project = (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })).id
    const { id } = await harness.db
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
        status: 'unresolved',
        substatus: 'new',
        is_unhandled: 0,
        first_seen_ms: OLD_MS,
        last_seen_ms: OLD_MS,
        event_count: 1,
        first_release: '',
        last_release: '',
        last_event_id: '0'.repeat(32),
        created_ms: OLD_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    issueId = id
    ruleId = (await harness.db.selectFrom('alert_rule').select('id').executeTakeFirstOrThrow()).id
  })
  after(() => harness.close())

  const sweep = (signal = new AbortController().signal) =>
    sweepAlerts({ records: harness.db, clock: harness.clock, retentionDays: 90, signal })
  const changes = (count: number, atMs: number, kind: IssueChangeKind = 'first_seen_in_release') =>
    noteIssueChanges(
      harness.db,
      Array.from({ length: count }, () => ({ projectId: project, issueId, kind })),
      atMs,
    )

  it('are first events in releases that were looked at, a thousand of them; all else of an issue stays', async () => {
    await changes(1_200, OLD_MS)
    await changes(1, OLD_MS, 'resolved')
    await harness.db.updateTable('issue_change').set({ is_pending: 0 }).execute()
    await changes(1, OLD_MS)
    await changes(3, RECENT_MS)
    await harness.db
      .updateTable('issue_change')
      .set({ is_pending: 0 })
      .where('at_ms', '=', RECENT_MS)
      .execute()
    await sweep(AbortSignal.abort())
    await sweep()
    await sweep()
    const left = await harness.db
      .selectFrom('issue_change')
      .select(['at_ms', 'is_pending'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      left.map((row) => [row.at_ms, row.is_pending]),
      [
        [OLD_MS, 0],
        [OLD_MS, 1],
        [RECENT_MS, 0],
        [RECENT_MS, 0],
        [RECENT_MS, 0],
      ],
    )
  })

  it('are incidents that ended long ago, with their notes and what told of them', async () => {
    const incident = async (key: string, resolvedMs: number | null): Promise<number> => {
      const { id } = await harness.db
        .insertInto('incident')
        .values({
          project_id: project,
          rule_id: ruleId,
          rule_name: key,
          issue_id: null,
          dedup_key: key,
          cause: '{}',
          started_ms: OLD_MS,
          fired_ms: OLD_MS,
          resolved_ms: resolvedMs,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await harness.db
        .insertInto('incident_note')
        .values({ incident_id: id, actor: 'operator:cli', body: 'seen', at_ms: OLD_MS })
        .execute()
      return id
    }
    await incident('old', OLD_MS)
    const [open, recent] = [await incident('open', null), await incident('recent', RECENT_MS)]
    await sweep()
    const leftIds = async () => {
      const left = await harness.db.selectFrom('incident').select('id').orderBy('id').execute()
      return left.map(({ id }) => id)
    }
    assert.deepEqual(await leftIds(), [open, recent])
    // An old one that fires until today at the end of the first page: those behind it are looked at too.
    const base = { project_id: project, rule_id: ruleId, rule_name: 'many', issue_id: null, cause: '{}' }
    const old = { ...base, started_ms: OLD_MS, fired_ms: NOW_MS, resolved_ms: null }
    const many = Array.from({ length: 500 }, (_, at) => ({ ...old, dedup_key: `many ${at}` }))
    await harness.db.insertInto('incident').values(many).execute()
    await incident('behind', OLD_MS)
    await sweep()
    assert.equal((await leftIds()).length, 502)
    await harness.db.deleteFrom('incident').where('rule_name', '=', 'many').execute()
    assert.deepEqual(await leftIds(), [open, recent])
    const notes = await harness.db.selectFrom('incident_note').select('incident_id').orderBy('id').execute()
    assert.deepEqual(
      notes.map((note) => note.incident_id),
      [open, recent],
    )
  })

  it('are spikes that ended long ago', async () => {
    const spike = (endedMs: number | null) => ({
      project_id: project,
      category: 'event' as const,
      started_ms: OLD_MS,
      last_ms: OLD_MS,
      ended_ms: endedMs,
      usual_per_hour: 1,
      minute_limit: 1,
      peak_per_minute: 1,
      kept: 1,
      sampled: 1,
    })
    await harness.db
      .insertInto('spike')
      .values([spike(OLD_MS), spike(null), spike(RECENT_MS)])
      .execute()
    await sweep()
    const left = await harness.db.selectFrom('spike').select('ended_ms').orderBy('id').execute()
    assert.deepEqual(
      left.map((row) => row.ended_ms),
      [null, RECENT_MS],
    )
  })
})
