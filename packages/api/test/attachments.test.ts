/** An event's files over `/api/0`: who gets them, and that a browser can do nothing with them but save them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { downloadName } from '@sonde/queries'
import { sql } from 'kysely'
import { type Harness, openHarness } from './harness.ts'

const EVENT = 'ab'.repeat(16)
const CONTENT = '<script>alert(1)</script>'
const SHA1 = createHash('sha1').update(CONTENT).digest('hex')

describe('attachments', () => {
  let harness: Harness
  let reader: Record<string, string>
  let id: number
  let base: string
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    await harness.project('acme', 'other')
    await harness.blobs.put('attachments/1', Buffer.from(CONTENT))
    const row = await harness.db
      .insertInto('attachment')
      .values({
        project_id: shop.id,
        event_id: EVENT,
        name: 'logs/größe \u202Egpj.html',
        content_type: 'text/html',
        attachment_type: 'event.attachment',
        shown_as: 'text/plain',
        bytes: CONTENT.length,
        sha1: SHA1,
        sha256: '',
        blob: 'attachments/1',
        log_position: 1,
        item_index: 0,
        created_ms: Date.UTC(2026, 0, 2, 3, 4, 5),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    id = row.id
    base = `/api/0/projects/acme/shop/events/${EVENT}/attachments/`
    reader = { authorization: `Bearer ${await harness.token(['event:read'], 'acme')}` }
  })
  after(() => harness.close())

  it('are listed and described in the public shape, by an id with hyphens too', async () => {
    const expected = {
      id: String(id),
      event_id: EVENT,
      type: 'event.attachment',
      name: 'logs/größe \u202Egpj.html',
      mimetype: 'text/html',
      dateCreated: '2026-01-02T03:04:05.000000Z',
      size: CONTENT.length,
      headers: { 'Content-Type': 'text/html' },
      sha1: SHA1,
    }
    const list = await harness.fetch(base, { headers: reader })
    assert.deepEqual(await list.json(), [expected])
    const dashed = 'ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB'
    const one = await harness.fetch(`${base.replace(EVENT, dashed)}${id}/`, { headers: reader })
    assert.deepEqual(await one.json(), expected)
    const none = await harness.fetch(base.replace(EVENT, 'f'.repeat(32)), { headers: reader })
    assert.deepEqual([none.status, await none.json()], [200, []])
  })

  it('are downloaded as bytes, never as what they say they are', async () => {
    const answer = await harness.fetch(`${base}${id}/?download=1`, { headers: reader })
    assert.equal(answer.status, 200)
    assert.equal(await answer.text(), CONTENT)
    const get = (name: string) => answer.headers.get(name)
    assert.equal(get('content-type'), 'application/octet-stream')
    assert.equal(
      get('content-disposition'),
      `attachment; filename="gr__e gpj.html"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20gpj.html`,
    )
    assert.equal(get('x-content-type-options'), 'nosniff')
    assert.match(get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
    assert.equal(get('content-length'), String(CONTENT.length))
    assert.equal(get('cache-control'), 'private, no-store')
  })

  it('are for who may read events, in their own project and event', async () => {
    const rival = { authorization: `Bearer ${await harness.token(['event:read'], 'acme')}` }
    const projects = { authorization: `Bearer ${await harness.token(['project:read'], 'acme')}` }
    for (const [path, headers, status] of [
      [base, {}, 401],
      [base, projects, 403],
      [`${base}${id}/?download=1`, projects, 403],
      [`${base.replace('/shop/', '/other/')}${id}/?download=1`, rival, 404],
      [`${base.replace(EVENT, 'f'.repeat(32))}${id}/?download=1`, rival, 404],
      [`${base}${id + 1}/`, rival, 404],
      [`${base}x/`, rival, 404],
    ] as const)
      assert.equal((await harness.fetch(path, { headers })).status, status, path)
  })

  it('whose bytes are damaged are refused in words before a byte of them is given', async () => {
    for (const bytes of [CONTENT.replace('1', '2'), CONTENT.slice(1), '']) {
      await harness.blobs.put('attachments/1', Buffer.from(bytes))
      const answer = await harness.fetch(`${base}${id}/?download`, { headers: reader })
      const { detail } = (await answer.json()) as { detail: string }
      assert.deepEqual([answer.status, detail.slice(0, 35)], [410, 'This file is damaged on the server.'])
    }
  })

  it('that are long end without their last bytes where those are damaged', async () => {
    const bytes = Buffer.alloc(300_000, 'a')
    const sha1 = createHash('sha1').update(bytes).digest('hex')
    await sql`UPDATE attachment SET bytes = ${bytes.length}, sha1 = ${sha1}`.execute(harness.db)
    await harness.blobs.put('attachments/1', bytes)
    const download = () => harness.fetch(`${base}${id}/?download`, { headers: reader })
    assert.equal((await (await download()).arrayBuffer()).byteLength, bytes.length)
    await harness.blobs.put('attachments/1', Buffer.concat([bytes.subarray(1), Buffer.from('b')]))
    const answer = await download()
    assert.equal(answer.status, 200)
    await assert.rejects(answer.arrayBuffer(), { kind: 'gone' })
  })

  it('whose bytes are missing are described, and refused in words', async () => {
    await harness.blobs.delete('attachments/1')
    const answer = await harness.fetch(`${base}${id}/?download`, { headers: reader })
    assert.equal(answer.status, 410)
    assert.match(
      ((await answer.json()) as { detail: string }).detail,
      /^This file is missing on the server\./,
    )
    assert.equal((await harness.fetch(`${base}${id}/`, { headers: reader })).status, 200)
  })

  it('are deleted by who may delete events', async () => {
    const remove = (headers: Record<string, string>) =>
      harness.fetch(`${base}${id}/`, { method: 'DELETE', headers })
    assert.equal((await remove(reader)).status, 403)
    const admin = { authorization: `Bearer ${await harness.token(['event:admin'], 'acme')}` }
    assert.equal((await remove(admin)).status, 204)
    assert.deepEqual(await (await harness.fetch(base, { headers: reader })).json(), [])
    assert.equal((await remove(admin)).status, 404)
  })
})

describe('the name of a download', () => {
  for (const [name, file] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\logs\\app.log', 'app.log'],
    ['.bashrc', 'bashrc'],
    ['a:b|c?.txt', 'a_b_c_.txt'],
    ['name. . ', 'name'],
    ['///', 'attachment'],
    ['..', 'attachment'],
    ['\u202E\u200B', 'attachment'],
    ['ü'.repeat(255), 'ü'.repeat(100)],
    [`${'x'.repeat(198)}🚀`, 'x'.repeat(198)],
  ] as const)
    it(JSON.stringify(name).slice(0, 30), () => assert.equal(downloadName(name), file))
})
