import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openRecords } from '../../src/records/open-records.ts'
import type { Records } from '../../src/records/schema.ts'
import { writeTransaction } from '../../src/records/write-transaction.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const lease = (name: string) => ({ name, owner: 'somebody', expires_ms: 1 })

/** Each changes rows. Of tables with and without row ids. */
const CHANGES: readonly ((db: Records) => Promise<unknown>)[] = [
  (db) => db.insertInto('setting').values({ name: 'a', value: '1' }).execute(),
  (db) => db.updateTable('setting').set({ value: '2' }).where('name', '=', 'a').execute(),
  (db) => db.insertInto('job_lease').values(lease('a')).execute(),
  (db) => writeTransaction(db, (tx) => tx.insertInto('job_lease').values(lease('b')).execute()),
  (db) => db.deleteFrom('job_lease').where('name', '=', 'a').execute(),
  (db) => db.deleteFrom('job_lease').execute(),
  (db) => db.deleteFrom('setting').execute(),
]

test('the version of records in a file changes with each change, of this connection or another, and with no look', async () => {
  const file = join(temporaryFolder(), 'records.db')
  const [own, other] = [
    await openRecords({ file }, { logger: silentLogger }),
    await openRecords({ file }, { logger: silentLogger }),
  ]
  const version = (): string => own.version?.() ?? assert.fail('a file says its version')
  for (const [by, name] of [
    [own, 'own'],
    [other, 'other'],
  ] as const)
    for (const [at, change] of CHANGES.entries()) {
      const before = version()
      await own.db.selectFrom('setting').selectAll().execute()
      await other.db.selectFrom('job_lease').selectAll().execute()
      assert.equal(version(), before, 'nothing changed')
      await change(by.db)
      assert.notEqual(version(), before, `change ${at} of the ${name} connection`)
    }
  await own.close()
  await other.close()
})

test('a version that is read within a transaction of this connection is another one after its next change', async () => {
  const { db, version, close } = await openRecords(
    { file: join(temporaryFolder(), 'records.db') },
    { logger: silentLogger },
  )
  const within = await writeTransaction(db, async (tx) => {
    const seen = version?.()
    await tx.insertInto('setting').values({ name: 'a', value: '1' }).execute()
    return seen
  })
  assert.notEqual(version?.(), within)
  await close()
})
