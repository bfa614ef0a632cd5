import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAccess, operatorViewer } from '@sonde/access'
import { silentLogger, systemClock } from '@sonde/base'
import { ensureProject } from '@sonde/commands'
import { openRecords } from '@sonde/stores'
import { action } from '../../src/routes/[org]/[project]/test-event/page.server.ts'

test('a test event that the door refuses leads to the limits and keys, and is no failure of the page', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-web-'))
  const records = await openRecords({ file: join(dir, 'records.sqlite') }, { logger: silentLogger })
  t.after(async () => {
    await records.close()
    await rm(dir, { recursive: true, force: true })
  })
  const access = createAccess({
    records: records.db,
    secret: 'a secret of at least thirty-two characters',
    publicUrl: 'http://sonde.test',
    clock: systemClock,
    logger: silentLogger,
  })
  const deps = { records: records.db, access, clock: systemClock }
  await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'shop', platform: 'node' })

  const press = (sent: { ok: true; eventId: string } | { ok: false; message: string }): Promise<unknown> =>
    action({
      url: new URL('http://sonde.test/acme/shop/test-event'),
      params: { org: 'acme', project: 'shop' },
      context: { viewer: operatorViewer, access, sendTestEvent: () => Promise.resolve(sent) },
    } as never)
  await assert.rejects(press({ ok: false, message: 'The rate limit is used up.' }), {
    url: '/acme/shop/settings',
    status: 303,
  })
  await assert.rejects(press({ ok: true, eventId: 'a'.repeat(32) }), {
    url: '/acme/shop/issues?query=',
    status: 303,
  })
})
