import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { openInstallation, operatorViewer } from '@sonde/access'
import { fixedClock, silentLogger } from '@sonde/base'
import { type BackupPlanInput, saveBackupPlan } from '@sonde/commands'
import type { RunningJob } from '@sonde/jobs'
import { type OpenRecords, openBlobs, openRecords } from '@sonde/stores'
import { createRecords } from '../../../../tests/harness/engines.ts'
import { backupsPart, judgeBackups } from '../../src/backup/backup-health.ts'
import { startBackupJob } from '../../src/backup/backup-job.ts'
import { backupPlace } from '../../src/backup/backup-place.ts'
import type { BackupRunner } from '../../src/backup/backup-runner.ts'
import { backupRuns, notedRun } from '../../src/backup/backup-runs.ts'
import { createBackupWork } from '../../src/backup/backup-work.ts'
import type { BackupSummary } from '../../src/backup/manifest.ts'
import { openTarget } from '../../src/backup/open-target.ts'
import { pruneBackups } from '../../src/backup/prune-backups.ts'
import { openRepository } from '../../src/backup/repository.ts'
import { seeBackups } from '../../src/backup/see-backups.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-01-07T10:00:00Z')
const grant = openInstallation(operatorViewer)

void describe('backups by the schedule', () => {
  let dir = ''
  let records: Awaited<ReturnType<typeof createRecords>>
  let opened: OpenRecords
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sonde-backup-job-'))
    records = await createRecords(dir)
    opened = await openRecords(records, { logger: silentLogger })
    const now = new Date(START_MS).toISOString()
    const at = { createdAt: now, updatedAt: now }
    await opened.db
      .insertInto('user')
      .values({
        id: 'ann',
        name: 'Ann',
        email: 'ann@example.com',
        emailVerified: 1,
        isOperator: 1,
        ...at,
      })
      .execute()
  })
  after(async () => {
    await opened.close()
    await records.remove()
    rmSync(dir, { recursive: true, force: true })
  })

  let folder = ''
  let clock: ReturnType<typeof fixedClock>
  let mails: string[]
  let failures = 0
  let trouble: string | undefined
  let job: Pick<RunningJob, 'stop'> | undefined

  beforeEach(async () => {
    folder = mkdtempSync(join(dir, 'backups-'))
    clock = fixedClock(START_MS)
    mails = []
    failures = 0
    trouble = undefined
    await opened.db.deleteFrom('setting').where('name', 'like', 'backup.%').execute()
    await opened.db.deleteFrom('backup_run').execute()
  })
  afterEach(() => job?.stop())

  const place = () => backupPlace({ backup: { to: folder, keyFile: undefined, keys: undefined } }, true)
  const see = () => seeBackups({ records: opened.db, clock }, place())
  const plan = (input: Partial<BackupPlanInput>) =>
    saveBackupPlan({ records: opened.db, clock }, grant, input)
  const list = async () => {
    const now = place()
    return now.kind === 'set' ? (await openTarget(now.target)).list() : []
  }

  /** Writes into a real repository; of what a backup copies, a few bytes. */
  const runner: Pick<BackupRunner, 'run' | 'verify' | 'prune' | 'running'> = {
    running: () => undefined,
    run: (target) =>
      notedRun({ records: opened.db, clock }, { kind: 'create', target: target.name }, async () => {
        if (trouble !== undefined) throw new Error(trouble)
        const repository = openRepository({
          blobs: openBlobs({ dir: folder }),
          place: folder,
          key: undefined,
          clock,
        })
        const createdMs = clock.nowMs()
        const id = String(createdMs)
        const pieces = await repository.put(Readable.from([Buffer.from(`data of ${id}`)]))
        const summary = {
          format: 1,
          id,
          createdMs,
          recipients: [],
          bytes: 20,
          tookMs: 5,
          manifest: [],
          pieces,
        }
        await repository.add(summary as unknown as BackupSummary)
        return summary as unknown as BackupSummary
      }),
    verify: () => Promise.reject(new Error('this test checks none')),
    prune: (target, asked) =>
      notedRun({ records: opened.db, clock }, { kind: 'prune', target: target.name }, async () =>
        pruneBackups(await openTarget(target), asked),
      ),
  }

  function start(): void {
    const needs = { records: opened.db, clock, logger: silentLogger }
    job = startBackupJob({
      ...needs,
      work: createBackupWork({ ...needs, place: place(), runner }),
      mailbox: {
        isOn: true,
        async queue(_, to, { subject, lines }) {
          mails.push(`${to}: ${subject}: ${lines[0]}`)
        },
      },
      publicUrl: 'https://sonde.example',
      onFailures: (count) => (failures += count),
      lookEveryMs: 5,
    })
  }

  async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const endMs = performance.now() + 20_000
    while (!(await condition())) {
      if (performance.now() > endMs) throw new Error(`not in time: ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const backups = (count: number) => until(async () => (await list()).length === count, `${count} backups`)
  const runs = async (kind: 'create' | 'prune') =>
    (await backupRuns({ records: opened.db }, { kind })).filter(({ finishedMs }) => finishedMs !== undefined)
      .length

  void test('a time that passed while Sonde was off is made up for once, and the rules are applied after each', async () => {
    await plan({
      schedule: 'every-6h',
      keepLast: 2,
      keepDaily: 0,
      keepWeekly: 0,
      keepMonthly: 0,
      verify: 'never',
    })
    clock.advance(30 * HOUR_MS)
    start()
    await backups(1)
    await until(async () => (await runs('prune')) === 1, 'the rules')
    for (const count of [2, 3, 4]) {
      clock.advance(6 * HOUR_MS)
      await until(async () => (await runs('prune')) === count, `the rules after backup ${count}`)
    }
    assert.equal(await runs('create'), 4)
    const ids = (await list()).map(({ id }) => Number(id))
    assert.deepEqual(ids, [START_MS + 42 * HOUR_MS, START_MS + 48 * HOUR_MS])
    assert.deepEqual(mails, [], 'a backup that comes at once is none that is missing')
  })

  void test('operators hear of a failure once, again a day later, and when it is over', async () => {
    await plan({ schedule: 'daily', at: '12:00', verify: 'never' })
    trouble = 'No space left on device'
    start()
    clock.advance(2 * HOUR_MS)
    await until(() => mails.length === 1, 'a mail')
    assert.match(
      mails[0] ?? '',
      /^ann@example\.com: Sonde: a backup failed: the last backup failed: No space left on device\. no backup yet\. It is tried again by itself\./,
    )
    assert.equal(failures, 1)
    assert.equal(backupsPart(judgeBackups(await see())).state, 'degraded')
    clock.advance(0.2 * HOUR_MS)
    await until(async () => (await runs('create')) === 2, 'a second try')
    clock.advance(24 * HOUR_MS)
    await until(() => mails.length === 2, 'a reminder')
    assert.match(mails[1] ?? '', /a backup failed/)
    trouble = undefined
    clock.advance(3 * HOUR_MS)
    await backups(1)
    await until(() => mails.length === 3, 'the end')
    assert.match(
      mails[2] ?? '',
      /Sonde: backups are made again: last backup 0 min ago, next one 2026-01-09 12:00 UTC$/,
    )
    assert.equal(failures, await runs('create').then((count) => count - 1))
    assert.equal(backupsPart(judgeBackups(await see())).state, 'ok')
  })

  void test('without a schedule, whoever sets an age is told when nothing was backed up for so long', async () => {
    await plan({ schedule: 'off', warnAfterHours: 5 })
    const made = place()
    assert.ok(made.kind === 'set')
    await runner.run(made.target)
    start()
    clock.advance(4 * HOUR_MS)
    assert.equal(backupsPart(judgeBackups(await see())).detail, 'last backup 4 h ago')
    clock.advance(2 * HOUR_MS)
    await until(() => mails.length === 1, 'a mail')
    assert.match(mails[0] ?? '', /the last good backup is 6 h old, more than 5 h\. Settings, Backups/)
    assert.equal(await runs('create'), 1)
  })

  void test('a schedule without a place says which setting is missing', async () => {
    await plan({ schedule: 'daily' })
    const unset = backupPlace({ backup: { to: undefined, keyFile: undefined, keys: undefined } }, true)
    const part = backupsPart(judgeBackups(await seeBackups({ records: opened.db, clock }, unset)))
    assert.equal(part.state, 'degraded')
    assert.match(part.detail, /SONDE_BACKUP_TO is not set/)
  })

  void test('a plan that cannot be is refused field by field, and the rest of it stays', async () => {
    await assert.rejects(plan({ at: '25:00', zone: 'Europe/Nowhere', keepDaily: -1 }), {
      fields: {
        at: ['is a time such as 03:00'],
        zone: ['is not a time zone; names are as in Europe/Berlin'],
        keepDaily: ['is 0 or more'],
      },
    })
    const saved = await plan({ schedule: 'weekly', zone: 'Europe/Berlin' })
    assert.deepEqual([saved.at, saved.sinceMs], ['03:00', START_MS])
    clock.advance(HOUR_MS)
    assert.equal((await plan({ keepLast: 9 })).sinceMs, START_MS, 'the times did not change')
  })
})
