import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { attachmentPart } from '../../src/doctor/parts.ts'

test('says what each organization stores of what it may, and what to do when little is left', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-attachments-'))
  const { db, close } = await openRecords({ file: join(dir, 'records.sqlite') }, { logger: silentLogger })
  t.after(async () => {
    await close()
    await rm(dir, { recursive: true })
  })
  assert.deepEqual(await attachmentPart(db, 5e9), {
    name: 'attachments',
    state: 'ok',
    detail: 'none stored (quota 5.0 GB per organization)',
  })
  for (const [id, slug, bytes] of [
    [1, 'acme', 4.6e9],
    [2, 'beta', 1_500],
  ] as const) {
    await db.insertInto('organization').values({ slug, name: slug, created_ms: 0 }).execute()
    const project = { org_id: id, slug: 'shop', name: 'Shop', platform: 'node', created_ms: 0 }
    await db.insertInto('project').values(project).execute()
    await db.insertInto('attachment_usage').values({ project_id: id, bytes }).execute()
  }
  const full = await attachmentPart(db, 5e9)
  assert.equal(full.state, 'degraded')
  assert.match(
    full.detail,
    /^acme 4\.6 GB, beta 1\.5 kB \(quota 5\.0 GB per organization\)\..*attachments of acme\.$/,
  )
  assert.equal((await attachmentPart(db, 6e9)).state, 'ok')
})
