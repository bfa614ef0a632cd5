import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fixedClock } from '@sonde/base'
import { type Fixture, openTestRecords } from '../../../../tests/harness/engines.ts'
import { backupRuns, endOpenRuns, notedRun } from '../../src/backup/backup-runs.ts'

void describe('runs of backups in the records', () => {
  let fixture: Omit<Fixture, 'telemetry'>
  before(async () => {
    fixture = await openTestRecords()
  })
  after(() => fixture.close())

  void test('say how each ended, without what stands in the repository', async () => {
    const clock = fixedClock(1_000)
    const needs = { records: fixture.records, clock }
    const made = await notedRun(needs, { kind: 'create', target: '/mnt/backup' }, async () => {
      const [running] = await backupRuns(needs)
      assert.equal(running?.finishedMs, undefined)
      clock.advance(50)
      return { id: 'b1', bytes: 7, pieces: [['x', 1]] }
    })
    assert.equal(made.bytes, 7)
    await assert.rejects(
      notedRun(needs, { kind: 'verify', target: '/mnt/backup' }, async () => {
        throw new Error('the disk is gone')
      }),
      /the disk is gone/,
    )
    const runs = await backupRuns(needs)
    assert.deepEqual(
      runs.map(({ kind, trouble, backupId, startedMs, finishedMs }) => [
        kind,
        trouble,
        backupId,
        startedMs,
        finishedMs,
      ]),
      [
        ['verify', 'the disk is gone', '', 1_050, 1_050],
        ['create', '', 'b1', 1_000, 1_050],
      ],
    )
    const [create] = await backupRuns(needs, { kind: 'create' })
    assert.deepEqual(create?.detail, { id: 'b1', bytes: 7 })
  })

  void test('of a process that died have ended', async () => {
    const needs = { records: fixture.records, clock: fixedClock(9_000) }
    await fixture.records
      .insertInto('backup_run')
      .values({ kind: 'prune', target: 'x', started_ms: 8_000 })
      .execute()
    await endOpenRuns(needs)
    const [last] = await backupRuns(needs, { limit: 1 })
    assert.deepEqual([last?.finishedMs, last?.trouble], [9_000, 'Sonde ended before it'])
  })
})
