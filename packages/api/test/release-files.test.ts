import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'
import { type Answer, FORM, formOf, type FormPart, serve, sha1Of } from './upload-client.ts'

const BASE = 'projects/acme/shop/releases/shop@1.0/files/'
const ORG_BASE = 'organizations/acme/releases/shop@1.0/files/'
const MAP = JSON.stringify({
  version: 3,
  sources: ['a.ts'],
  sourcesContent: ['a'],
  names: [],
  mappings: 'AAAA',
})

describe('files of a release', () => {
  let harness: Harness
  let client: Awaited<ReturnType<typeof serve>>
  let token: string
  before(async () => {
    harness = await openHarness()
    for (const slug of ['shop', 'blog']) await harness.project('acme', slug)
    token = await harness.token(['project:releases'], 'acme')
    client = await serve(harness)
  })
  after(async () => {
    await client.close()
    await harness.close()
  })

  const upload = (content: string, rest: readonly FormPart[], path = BASE): Promise<Answer> =>
    client.send('POST', path, token, formOf([{ name: 'file', fileName: 'app.js', content }, ...rest]), FORM)
  const field = (name: string, content: string): FormPart => ({ name, content })
  const list = async (path = BASE): Promise<{ id: string; name: string; dist: string | null }[]> =>
    JSON.parse((await client.send('GET', path, token)).body) as {
      id: string
      name: string
      dist: string | null
    }[]

  it('are stored with their headers, listed, and refused when they are there already', async () => {
    const name = field('name', '~/app.js')
    const stored = await upload('a()', [name, field('header', 'Sourcemap:app.js.map')])
    assert.equal(stored.status, 201)
    assert.deepEqual(
      [
        stored.json['name'],
        stored.json['size'],
        stored.json['sha1'],
        stored.json['dist'],
        stored.json['headers'],
      ],
      ['~/app.js', 3, sha1Of(Buffer.from('a()')), null, { sourcemap: 'app.js.map' }],
    )
    const again = await upload('b()', [name])
    assert.deepEqual([again.status, again.reason], [409, 'release shop@1.0 has a file ~/app.js already'])
    assert.equal((await upload('a()', [name, field('dist', '7')])).status, 201)
    assert.equal((await upload(MAP, [field('name', '~/app.js.map')])).status, 201)
    assert.deepEqual(
      (await list()).map((file) => [file.name, file.dist]),
      [
        ['~/app.js', null],
        ['~/app.js', '7'],
        ['~/app.js.map', null],
      ],
    )
    const one = await client.send('GET', `${BASE}${String(stored.json['id'])}/`, token)
    assert.deepEqual(one.json['headers'], { sourcemap: 'app.js.map' })
    const rows = await harness.db
      .selectFrom('artifact_file')
      .select(['type', 'map_ref'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map((row) => [row.type, row.map_ref]),
      [
        ['minified_source', 'app.js.map'],
        ['minified_source', ''],
        ['source_map', ''],
      ],
    )
    // Both ask for the same until somebody begins with it.
    assert.equal((await harness.db.selectFrom('repair').select('id').execute()).length, 1)
  })

  it('that are broken maps, or no files, are refused with a reason', async () => {
    const broken = await upload('{"version":3', [field('name', '~/b.js.map')])
    assert.equal(broken.status, 400)
    assert.match(String(broken.json['detail']), /~\/b\.js\.map cannot be read as a source map/)
    const none = await client.send('POST', BASE, token, formOf([field('name', '~/c.js')]), FORM)
    assert.match(String(none.json['detail']), /no part called "file"/)
    assert.equal((await list()).length, 3)
  })

  it('without a project are of all projects of the release', async () => {
    const alone = await upload('a()', [], 'organizations/acme/releases/none/files/')
    assert.match(String(alone.json['detail']), /release none has no projects/)
    const release = { version: 'shop@1.0', projects: ['shop', 'blog'] }
    const made = await client.send(
      'POST',
      'organizations/acme/releases/',
      token,
      Buffer.from(JSON.stringify(release)),
    )
    // The upload made it known already.
    assert.equal(made.status, 208)
    const stored = await upload('both()', [field('name', '~/both.js')], ORG_BASE)
    assert.equal(stored.status, 201)
    const [shop, blog] = [await list(), await list('projects/acme/blog/releases/shop@1.0/files/')]
    assert.equal(shop.filter((file) => file.name === '~/both.js').length, 1)
    assert.deepEqual(
      blog.map((file) => file.name),
      ['~/both.js'],
    )
    assert.equal((await list(ORG_BASE)).filter((file) => file.name === '~/both.js').length, 1)
    const gone = await client.send('DELETE', `${ORG_BASE}${String(stored.json['id'])}/`, token)
    assert.equal(gone.status, 204)
    assert.deepEqual(await list('projects/acme/blog/releases/shop@1.0/files/'), [])
  })

  it('go one by one, or all of a release', async () => {
    const [first] = await list()
    const path = `${BASE}${first?.id}/`
    assert.equal((await client.send('DELETE', path, token)).status, 204)
    assert.equal((await client.send('DELETE', path, token)).status, 404)
    assert.equal((await list()).length, 2)
    const all = 'projects/acme/shop/files/source-maps/?name=shop@1.0'
    for (const _ of [1, 2]) assert.equal((await client.send('DELETE', all, token)).status, 204)
    assert.deepEqual(await list(), [])
    const left = await harness.db.selectFrom('artifact_file').select('id').execute()
    assert.deepEqual(left, [])
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select('action')
      .where('action', '=', 'artifact.delete')
      .execute()
    assert.equal(audit.length, 3)
  })

  it('need a token that may', async () => {
    const reading = await harness.token(['project:read'], 'acme')
    const body = formOf([{ name: 'file', fileName: 'a.js', content: 'a' }])
    assert.equal((await client.send('POST', BASE, reading, body, FORM)).status, 403)
    assert.equal((await client.send('DELETE', `${BASE}1/`, reading)).status, 403)
    const all = 'projects/acme/shop/files/source-maps/?name=shop@1.0'
    assert.equal((await client.send('DELETE', all, reading)).status, 403)
    assert.equal((await client.send('GET', BASE, reading)).status, 200)
  })

  it('of native code are answered in words', async () => {
    for (const path of ['files/dsyms/', 'files/proguard-artifact-releases/']) {
      const answer = await client.send('POST', `projects/acme/shop/${path}`, token, Buffer.from('{}'))
      assert.equal(answer.status, 501)
      assert.match(String(answer.json['detail']), /not in Sonde yet/)
    }
  })
})
