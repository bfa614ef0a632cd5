import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { addKey } from '../../src/records/conformance.ts'
import { openKeySource } from '../../src/records/key-source.ts'
import { openRecords } from '../../src/records/open-records.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const KEY = 'a'.repeat(32)

test('keys can be asked for before there are records, and are found once there are', async () => {
  const file = join(temporaryFolder(), 'later', 'records.db')
  const source = await openKeySource({ file })
  await assert.rejects(source.read(undefined))
  const records = await openRecords({ file }, { logger: silentLogger })
  await addKey(records.db, KEY)
  assert.deepEqual([...((await source.read(undefined))?.keys.keys() ?? [])], [KEY])
  await source.close()
  await records.close()
})

test('a locked file is read once it is free, and one that was replaced is noticed', async () => {
  const dir = temporaryFolder()
  const file = join(dir, 'records.db')
  const other = join(dir, 'other.db')
  for (const [path, key] of [
    [file, KEY],
    [other, 'b'.repeat(32)],
  ] as const) {
    const records = await openRecords({ file: path }, { logger: silentLogger })
    await addKey(records.db, key)
    await records.close()
  }
  const locker = new DatabaseSync(file)
  locker.exec('PRAGMA locking_mode = EXCLUSIVE; UPDATE key_epoch SET value = value + 0')
  const source = await openKeySource({ file })
  await assert.rejects(source.read(undefined), /locked/)
  locker.close()
  const first = await source.read(undefined)
  assert.equal(first?.keys.get(KEY)?.keyId, 1)
  renameSync(file, join(dir, 'moved.db'))
  await assert.rejects(source.read(first?.version), /ENOENT/)
  // A backup has the same count of changes.
  renameSync(other, file)
  const second = await source.read(first?.version)
  assert.deepEqual([...(second?.keys.keys() ?? [])], ['b'.repeat(32)])
  await source.close()
})
