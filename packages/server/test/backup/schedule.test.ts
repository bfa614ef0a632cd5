import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BackupPlan } from '@sonde/commands'
import type { BackupRun } from '../../src/backup/backup-runs.ts'
import { lastDueMs, nextDueMs, warnAfterMs } from '../../src/backup/backup-times.ts'
import { dueWork } from '../../src/backup/due-work.ts'
import type { BackupSummary } from '../../src/backup/manifest.ts'
import { unkeptBackups } from '../../src/backup/unkept-backups.ts'

const PLAN: BackupPlan = {
  schedule: 'daily',
  at: '03:00',
  weekday: 0,
  zone: 'UTC',
  keepLast: 0,
  keepDaily: 0,
  keepWeekly: 0,
  keepMonthly: 0,
  verify: 'never',
  warnAfterHours: null,
  sinceMs: 0,
}
const at = (text: string): number => Date.parse(text)
const text = (atMs: number | undefined): string => (atMs === undefined ? '' : new Date(atMs).toISOString())
const MINUTE_MS = 60_000

void describe('when backups are due', () => {
  void test('at the full hours of UTC, at a time of a zone, once a week', () => {
    const now = at('2026-01-07T10:00:00Z')
    const times = (plan: Partial<BackupPlan>) => {
      const whole = { ...PLAN, ...plan }
      return [text(lastDueMs(whole, now)), text(nextDueMs(whole, now))]
    }
    assert.deepEqual(times({ schedule: 'off' }), ['', ''])
    assert.deepEqual(times({ schedule: 'every-6h' }), [
      '2026-01-07T06:00:00.000Z',
      '2026-01-07T12:00:00.000Z',
    ])
    assert.deepEqual(times({ schedule: 'every-12h' }), [
      '2026-01-07T00:00:00.000Z',
      '2026-01-07T12:00:00.000Z',
    ])
    assert.deepEqual(times({ zone: 'Europe/Berlin' }), [
      '2026-01-07T02:00:00.000Z',
      '2026-01-08T02:00:00.000Z',
    ])
    // Auckland is 13 h ahead, so its day begins in the one before.
    assert.deepEqual(times({ schedule: 'weekly', weekday: 4, zone: 'Pacific/Auckland' }), [
      '2025-12-31T14:00:00.000Z',
      '2026-01-07T14:00:00.000Z',
    ])
    assert.equal(text(lastDueMs({ ...PLAN, at: '10:00' }, now)), '2026-01-07T10:00:00.000Z', 'to the minute')
  })

  void test('a time that the clocks skip is due at the change, one that they repeat once', () => {
    const plan = { ...PLAN, at: '02:30', zone: 'Europe/Berlin' }
    assert.equal(text(nextDueMs(plan, at('2026-03-28T12:00:00Z'))), '2026-03-29T01:00:00.000Z')
    assert.equal(text(nextDueMs(plan, at('2026-03-29T01:00:00Z'))), '2026-03-30T00:30:00.000Z')
    const first = nextDueMs(plan, at('2026-10-24T12:00:00Z'))
    assert.equal(text(first), '2026-10-25T00:30:00.000Z')
    assert.equal(text(nextDueMs(plan, first ?? 0)), '2026-10-26T01:30:00.000Z')
    assert.equal(text(lastDueMs(plan, at('2026-10-25T23:00:00Z'))), '2026-10-25T00:30:00.000Z')
  })

  void test('too old is twice the time between two, unless it was set', () => {
    assert.equal(warnAfterMs(PLAN), 48 * 60 * MINUTE_MS)
    assert.equal(warnAfterMs({ ...PLAN, schedule: 'every-6h' }), 12 * 60 * MINUTE_MS)
    assert.equal(warnAfterMs({ ...PLAN, warnAfterHours: 5 }), 5 * 60 * MINUTE_MS)
    assert.equal(warnAfterMs({ ...PLAN, schedule: 'off' }), undefined)
    assert.equal(warnAfterMs({ ...PLAN, schedule: 'off', warnAfterHours: 5 }), 5 * 60 * MINUTE_MS)
  })
})

let lastId = 0
const run = (kind: BackupRun['kind'], startedMs: number, more: Partial<BackupRun> = {}): BackupRun => ({
  id: ++lastId,
  kind,
  target: '/backups',
  startedMs,
  finishedMs: startedMs + MINUTE_MS,
  trouble: '',
  backupId: 'b',
  detail: undefined,
  ...more,
})
const failed = (kind: BackupRun['kind'], startedMs: number): BackupRun =>
  run(kind, startedMs, { trouble: 'the disk is full', backupId: '' })

void describe('what is due', () => {
  const due = at('2026-01-07T03:00:00Z')

  void test('a backup once for each time, also when Sonde was off at that time', () => {
    assert.equal(dueWork(PLAN, [], due + 5 * 60 * MINUTE_MS)?.kind, 'create')
    assert.equal(dueWork(PLAN, [run('create', due - 60 * MINUTE_MS)], due)?.kind, 'create')
    assert.equal(dueWork(PLAN, [run('create', due + 1)], due + MINUTE_MS), undefined)
    assert.equal(dueWork({ ...PLAN, schedule: 'off' }, [], due), undefined)
  })

  void test('a schedule asks for nothing before its first time', () => {
    const plan = { ...PLAN, sinceMs: due + 60 * MINUTE_MS }
    assert.equal(dueWork(plan, [], due + 2 * 60 * MINUTE_MS), undefined)
    assert.equal(dueWork(plan, [], due + 24 * 60 * MINUTE_MS)?.kind, 'create')
  })

  void test('what failed is tried again, later each time, and at once at the next time', () => {
    const one = [failed('create', due)]
    assert.equal(dueWork(PLAN, one, due + 5 * MINUTE_MS), undefined)
    assert.equal(dueWork(PLAN, one, due + 6 * MINUTE_MS)?.kind, 'create')
    const two = [failed('create', due + 6 * MINUTE_MS), ...one]
    assert.equal(dueWork(PLAN, two, due + 16 * MINUTE_MS), undefined)
    assert.equal(dueWork(PLAN, two, due + 17 * MINUTE_MS)?.kind, 'create')
    const many = Array.from({ length: 20 }, () => failed('create', due + 22 * 60 * MINUTE_MS))
    assert.equal(dueWork(PLAN, many, due + 23.9 * 60 * MINUTE_MS), undefined)
    assert.equal(dueWork(PLAN, many, due + 24 * 60 * MINUTE_MS)?.kind, 'create')
  })

  void test('after a backup the rules are applied once, and the check is made when it is due', () => {
    const plan: BackupPlan = { ...PLAN, keepDaily: 7, verify: 'each' }
    const made = run('create', due)
    const now = due + 10 * MINUTE_MS
    assert.deepEqual(dueWork(plan, [made], now), { kind: 'prune' })
    const pruned = run('prune', due + 2 * MINUTE_MS)
    assert.deepEqual(dueWork(plan, [pruned, made], now), { kind: 'verify', id: 'b' })
    const verified = (startedMs: number, quick: boolean) =>
      run('verify', startedMs, { detail: { id: 'b', ok: true, quick } })
    const afterQuick = [verified(due + 3 * MINUTE_MS, true), pruned, made]
    assert.equal(dueWork(plan, afterQuick, now)?.kind, 'verify', 'checksums alone are no check')
    assert.equal(dueWork(plan, [verified(due + 3 * MINUTE_MS, false), pruned, made], now), undefined)
    const weekly = { ...plan, verify: 'weekly' } as const
    const daysAgo = (days: number) => [pruned, made, verified(due - days * 24 * 60 * MINUTE_MS, false)]
    assert.equal(dueWork(weekly, daysAgo(6), now), undefined)
    assert.equal(dueWork(weekly, daysAgo(8), now)?.kind, 'verify')
    // One that cannot be pruned is verified all the same.
    assert.equal(dueWork(plan, [failed('prune', now - MINUTE_MS), made], now)?.kind, 'verify')
  })
})

void describe('what no rule keeps', () => {
  const RULE = { ...PLAN, zone: 'Europe/Berlin' }
  const backup = (time: string) => ({ id: time, createdMs: at(time) }) as BackupSummary
  const unkept = (rule: Partial<BackupPlan>, times: readonly string[]): readonly string[] =>
    unkeptBackups({ ...RULE, ...rule }, times.map(backup))

  void test('without a rule all are kept', () => {
    assert.deepEqual(unkept({}, ['2026-01-01T00:00Z', '2026-01-02T00:00Z']), [])
  })

  void test('the newest of each day, week and month, by the clock of the zone', () => {
    // 22:30 UTC in summer is the next day in Berlin, in Auckland it is that day's morning.
    const times = ['2026-07-01T21:30Z', '2026-07-01T22:30Z', '2026-07-02T10:00Z']
    assert.deepEqual(unkept({ keepDaily: 2 }, times), ['2026-07-01T22:30Z'])
    assert.deepEqual(unkept({ keepDaily: 2, zone: 'UTC' }, times), ['2026-07-01T21:30Z'])
    assert.deepEqual(unkept({ keepDaily: 2, zone: 'Pacific/Auckland' }, times), [
      '2026-07-01T21:30Z',
      '2026-07-01T22:30Z',
    ])
    // A Sunday's last hour of UTC is Berlin's Monday; so is the month's.
    const weeks = ['2026-05-31T21:00Z', '2026-05-31T22:30Z', '2026-06-01T21:00Z']
    assert.deepEqual(unkept({ keepWeekly: 2 }, weeks), ['2026-05-31T22:30Z'])
    assert.deepEqual(unkept({ keepMonthly: 2 }, weeks), ['2026-05-31T22:30Z'])
  })

  void test('grandfather, father and son together, over a year of days with both changes of the clocks', () => {
    const times = Array.from({ length: 365 }, (_, day) =>
      new Date(at('2026-01-01T02:30:00Z') + day * 86_400_000).toISOString(),
    )
    const rule = { keepLast: 2, keepDaily: 7, keepWeekly: 4, keepMonthly: 12 }
    const gone = new Set(unkept(rule, times))
    const kept = times.filter((time) => !gone.has(time))
    assert.deepEqual(
      kept.slice(-8).map((time) => time.slice(0, 10)),
      // Thursday, December 31, back to the week; the Sunday before it is of the rule of weeks.
      ['2026-12-20', ...[25, 26, 27, 28, 29, 30, 31].map((day) => `2026-12-${day}`)],
    )
    assert.deepEqual(
      kept.slice(0, 11).map((time) => time.slice(0, 10)),
      '01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30'
        .split(' ')
        .map((day) => `2026-${day}`),
    )
    assert.equal(kept.length, 11 + 1 + 1 + 7)
  })

  void test('the newest stays in the hour that the clocks repeat', () => {
    // 02:50 in summer time, then 02:10 in winter time.
    const times = ['2026-10-25T00:50Z', '2026-10-25T01:10Z']
    for (const rule of [{ keepLast: 1 }, { keepDaily: 1 }])
      assert.ok(!unkept(rule, times).includes('2026-10-25T01:10Z'))
  })
})
