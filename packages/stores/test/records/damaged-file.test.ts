/** A records file whose bytes are not what was written: a start refuses it and says what to do. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger, SondeError } from '@sonde/base'
import { openRecords } from '../../src/records/open-records.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const PAGE_BYTES = 4096

async function recordsWithRows(name: string): Promise<string> {
  const file = join(temporaryFolder(), name)
  const { db, close } = await openRecords({ file }, { logger: silentLogger })
  await db.insertInto('organization').values({ slug: 'acme', name: 'Acme', created_ms: 0 }).execute()
  await close()
  return file
}

const opened = (file: string) => openRecords({ file }, { logger: silentLogger, isChecked: true })

test('records that are as they were written are opened', async () => {
  const { db, close } = await opened(await recordsWithRows('whole.sqlite'))
  assert.equal((await db.selectFrom('organization').select('slug').execute()).length, 1)
  await close()
})

const DAMAGES: readonly (readonly [string, (bytes: Buffer) => void])[] = [
  ['pages in the middle', (bytes) => bytes.fill(0xa5, 20 * PAGE_BYTES, bytes.length - PAGE_BYTES)],
  ['the first page', (bytes) => bytes.fill(0, 0, 100)],
]

for (const [what, damage] of DAMAGES)
  test(`records with damage to ${what} are refused, with the next step`, async () => {
    const file = await recordsWithRows(`${what}.sqlite`)
    const bytes = readFileSync(file)
    damage(bytes)
    writeFileSync(file, bytes)
    await assert.rejects(opened(file), (error: unknown) => {
      assert.ok(error instanceof SondeError)
      assert.equal(error.kind, 'unavailable')
      assert.ok(error.message.includes(file), error.message)
      assert.match(error.hint ?? '', /damaged.*restore the records from a backup/)
      return true
    })
  })
