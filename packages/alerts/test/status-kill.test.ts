/** `kill -9` after every step of the mail of a status page: nobody is left out, and who has one twice has it under one Message-ID. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { silentLogger as logger } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { openMailServer } from './harness.ts'
import { insertStatusIncident, insertStatusPage, insertSubscribers } from './status-rows.ts'

const KILLS = ['queued', 'claimed', 'delivered', 'noted'] as const
const SUBSCRIBERS = 50
const HOUR_MS = 3_600_000

it('kill -9 after every step leaves nobody out, and nobody reads one update twice', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-status-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const mail = await openMailServer()
  t.after(() => mail.close())
  const file = join(dir, 'records.sqlite')
  const { db: records, close } = await openRecords({ file }, { logger })
  t.after(() => close())
  const org = await records
    .insertInto('organization')
    .values({ slug: 'acme', name: 'acme', created_ms: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pageId = await insertStatusPage(records, org.id, 'acme')
  const addresses = Array.from({ length: SUBSCRIBERS }, (_, number) => `s${number}@sonde.test`)
  await insertSubscribers(records, pageId, addresses)
  await insertStatusIncident(records, pageId, 'Slow answers', Date.now())

  for (const [index, step] of [...KILLS, 'none'].entries()) {
    const laterMs = String(index * HOUR_MS)
    const child = fork(join(import.meta.dirname, 'status-kill-child.ts'), [file, mail.url, step, laterMs], {
      execArgv: ['--conditions=@sonde/source'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    assert.deepEqual([code, signal], step === 'none' ? [0, null] : [null, 'SIGKILL'], step)
  }

  const keys = new Map(
    [...Map.groupBy(mail.mails, ({ to }) => to)].map(([to, own]) => [to, own.map((each) => each.messageId)]),
  )
  assert.deepEqual([...keys.keys()].toSorted(), addresses.toSorted())
  for (const [to, ids] of keys) assert.equal(new Set(ids).size, 1, to)
  // Up to four are on their way at once when a process is killed after "delivered".
  assert.ok(mail.mails.length <= SUBSCRIBERS + 8, String(mail.mails.length))
  assert.deepEqual(await records.selectFrom('status_mail').selectAll().execute(), [])
})
