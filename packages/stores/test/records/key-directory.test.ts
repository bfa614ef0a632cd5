import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixedClock, silentLogger } from '@sonde/base'
import { openKeyDirectory } from '../../src/records/keys/key-directory.ts'
import { type OpenRecords, openRecords } from '../../src/records/open-records.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const KEY = 'a'.repeat(32)
const NEVER_MS = 2 ** 31 - 1

async function addKey({ db }: OpenRecords, publicKey: string): Promise<void> {
  const org = await db
    .insertInto('organization')
    .values({ slug: `org-${publicKey[0]}`, name: 'Acme', created_ms: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const project = await db
    .insertInto('project')
    .values({ org_id: org.id, slug: 'shop', name: 'Shop', platform: 'javascript', created_ms: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_key')
    .values({ project_id: project.id, public_key: publicKey, label: 'Default', created_ms: 1 })
    .execute()
}

test('keys, their limits and their state are read and follow each change', async () => {
  const file = join(temporaryFolder(), 'records.db')
  const records = await openRecords({ file }, { logger: silentLogger })
  await addKey(records, KEY)
  const clock = fixedClock(0)
  const directory = openKeyDirectory({ file, logger: silentLogger, clock, refreshMs: NEVER_MS })
  assert.deepEqual(directory.find(KEY), {
    publicKey: KEY,
    keyId: 1,
    projectId: 1,
    projectSlug: 'shop',
    orgId: 1,
    orgSlug: 'org-a',
    isActive: true,
    activeUntilMs: undefined,
    rateLimit: undefined,
    projectRateLimit: undefined,
    spansPerMinute: undefined,
    spansRefusedUntilMs: undefined,
    allowedDomains: [],
  })
  let changes = 0
  const stop = directory.onChange(() => changes++)
  await records.db
    .updateTable('project_key')
    .set({ is_active: 0, rate_limit_count: 10, rate_limit_window_sec: 60 })
    .execute()
  clock.advance(20)
  assert.equal(directory.refreshNow(), true)
  assert.equal(directory.find(KEY)?.isActive, false)
  assert.deepEqual(directory.find(KEY)?.rateLimit, { count: 10, windowSec: 60 })

  clock.advance(20)
  await records.db.updateTable('project').set({ issue_counter: 7 }).execute()
  assert.equal(directory.refreshNow(), false, 'counting issues is no change of keys')
  stop()
  clock.advance(20)
  await records.db.deleteFrom('project').execute()
  assert.equal(directory.refreshNow(), true)
  assert.equal(directory.find(KEY), undefined)
  assert.equal(changes, 1)
  directory.close()
  await records.close()
})

test('a rotated key ends by the clock alone; limit and domains of the project come with its keys', async () => {
  const file = join(temporaryFolder(), 'records.db')
  const records = await openRecords({ file }, { logger: silentLogger })
  await addKey(records, KEY)
  await records.db.updateTable('project_key').set({ active_until_ms: 1000 }).execute()
  const clock = fixedClock(0)
  const directory = openKeyDirectory({ file, logger: silentLogger, clock, refreshMs: NEVER_MS })
  clock.advance(999)
  assert.equal(directory.find(KEY)?.isActive, true)
  clock.advance(1)
  assert.equal(directory.find(KEY)?.isActive, false)
  const limit = { rate_limit_count: 5, rate_limit_window_sec: 60 }
  await records.db
    .insertInto('project_setting')
    .values({ project_id: 1, value: '{}', ...limit, updated_ms: 1 })
    .execute()
  clock.advance(20)
  directory.refreshNow()
  assert.deepEqual(directory.find(KEY)?.projectRateLimit, { count: 5, windowSec: 60 })
  await records.db.updateTable('project_setting').set({ value: '{"filters":{}}' }).execute()
  clock.advance(20)
  assert.equal(directory.refreshNow(), false, 'filters are nothing that the door reads')
  await records.db.updateTable('project_setting').set({ rate_limit_count: 6 }).execute()
  clock.advance(20)
  assert.equal(directory.refreshNow(), true)
  const caps = { span_minute_cap: 1_000, spans_refused_until_ms: 86_400_000 }
  await records.db.updateTable('project_setting').set(caps).execute()
  clock.advance(20)
  assert.equal(directory.refreshNow(), true)
  const { spansPerMinute, spansRefusedUntilMs } = directory.find(KEY) ?? {}
  assert.deepEqual([spansPerMinute, spansRefusedUntilMs], [1_000, 86_400_000])
  for (const [stored, read] of [
    ['["shop.example"]', ['shop.example']],
    ['["shop.exa', []],
    [null, []],
  ] as const) {
    await records.db.updateTable('project_setting').set({ allowed_domains: stored }).execute()
    clock.advance(20)
    assert.equal(directory.refreshNow(), true)
    assert.deepEqual(directory.find(KEY)?.allowedDomains, read)
  }
  directory.close()
  await records.close()
})

test('a flood of unknown keys looks at the file at most every 20 ms', async () => {
  const file = join(temporaryFolder(), 'records.db')
  const records = await openRecords({ file }, { logger: silentLogger })
  const clock = fixedClock(1000)
  const directory = openKeyDirectory({ file, logger: silentLogger, clock, refreshMs: NEVER_MS })
  await addKey(records, KEY)
  clock.advance(19)
  assert.equal(directory.refreshNow(), false)
  clock.advance(1)
  assert.equal(directory.refreshNow(), true)
  assert.equal(directory.size(), 1)
  directory.close()
  await records.close()
})

test('it starts before the records exist, and polling finds them', async () => {
  const file = join(temporaryFolder(), 'later', 'records.db')
  const directory = openKeyDirectory({ file, logger: silentLogger, refreshMs: 10 })
  assert.equal(directory.isReady(), false)
  const changed = new Promise<void>((resolve) => directory.onChange(resolve))
  const records = await openRecords({ file }, { logger: silentLogger })
  await changed
  assert.equal(directory.isReady(), true)
  await addKey(records, KEY)
  while (directory.find(KEY) === undefined) await sleep(5)
  directory.close()
  await records.close()
})

test('a locked file is read once it is free, a missing one costs no keys, and a restored one is noticed', async () => {
  const dir = temporaryFolder()
  const file = join(dir, 'records.db')
  const other = join(dir, 'other.db')
  for (const [path, key] of [
    [file, KEY],
    [other, 'b'.repeat(32)],
  ] as const) {
    const records = await openRecords({ file: path }, { logger: silentLogger })
    await addKey(records, key)
    await records.close()
  }
  const locker = new DatabaseSync(file)
  locker.exec('PRAGMA locking_mode = EXCLUSIVE; UPDATE key_epoch SET value = value + 1')
  const clock = fixedClock(0)
  const directory = openKeyDirectory({ file, logger: silentLogger, clock, refreshMs: NEVER_MS })
  assert.equal(directory.isReady(), false)
  locker.close()
  clock.advance(100)
  assert.equal(directory.refreshNow(), true)
  assert.equal(directory.find(KEY)?.keyId, 1)
  renameSync(file, join(dir, 'moved.db'))
  clock.advance(100)
  assert.equal(directory.refreshNow(), false)
  assert.equal(directory.find(KEY)?.keyId, 1)
  renameSync(other, file)
  clock.advance(100)
  assert.equal(directory.refreshNow(), true)
  assert.equal(directory.find(KEY), undefined)
  assert.equal(directory.size(), 1)
  directory.close()
})
