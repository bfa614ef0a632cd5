import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Harness, openHarness, PUBLIC_URL } from './harness.ts'
import { type Answer, bundleZip, FORM, formOf, type FormPart, serve, sha1Of } from './upload-client.ts'

const CHUNKS = 'organizations/acme/chunk-upload/'
const ASSEMBLE = 'organizations/acme/artifactbundle/assemble/'
const MIB = 1024 * 1024

describe('uploads', () => {
  let harness: Harness
  let client: Awaited<ReturnType<typeof serve>>
  let token: string
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    await harness.project('other', 'site')
    token = await harness.token(['org:ci'], 'acme')
    client = await serve(harness)
  })
  after(async () => {
    await client.close()
    await harness.close()
  })

  const post = (parts: readonly FormPart[]): Promise<Answer> =>
    client.send('POST', CHUNKS, token, formOf(parts), FORM)
  const plain = (bytes: Uint8Array): FormPart => ({ name: 'file', fileName: sha1Of(bytes), content: bytes })
  const assemble = (body: object, bearer = token, path = ASSEMBLE): Promise<Answer> =>
    client.send('POST', path, bearer, Buffer.from(JSON.stringify(body)), {
      'content-type': 'application/json',
    })
  const chunkCount = async (): Promise<number> =>
    (await harness.db.selectFrom('artifact_chunk').select('sha1').execute()).length

  it('go where the token belongs to: an absolute address of the origin that was asked', async () => {
    const { json } = await client.send('GET', CHUNKS, token)
    assert.equal(json['url'], `${PUBLIC_URL}/api/0/organizations/acme/chunk-upload/`)
    assert.deepEqual(
      [json['chunkSize'], json['hashAlgorithm'], json['compression']],
      [8 * MIB, 'sha1', ['gzip']],
    )
    const accept = json['accept'] as string[]
    assert.ok(accept.includes('artifact_bundles_v2') && accept.includes('release_files'))
  })

  it('are asked for what is missing, sent packed or not, and stored', async () => {
    const zip = await bundleZip()
    const [first, second] = [zip.subarray(0, 300), zip.subarray(300)]
    const body = { checksum: sha1Of(zip), chunks: [sha1Of(first), sha1Of(second)], projects: ['shop'] }
    const asked = await assemble(body)
    assert.deepEqual(asked.json, { state: 'not_found', missingChunks: body.chunks, detail: null })
    const packed = { name: 'file_gzip', fileName: sha1Of(second), content: gzipSync(second) }
    const sent = await post([plain(first), packed])
    assert.deepEqual([sent.status, sent.body], [200, ''])
    const stored = await assemble(body)
    assert.deepEqual([stored.status, stored.json], [200, { state: 'ok', missingChunks: [], detail: null }])
    assert.deepEqual((await assemble(body)).json['state'], 'ok')
    const rows = await harness.db.selectFrom('artifact_file').select('url').orderBy('url').execute()
    assert.deepEqual(
      rows.map((row) => row.url),
      ['~/a.js', '~/a.js.map'],
    )
  })

  it('for a release that stands in the address are stored too', async () => {
    const zip = await bundleZip('CAAA')
    await post([plain(zip)])
    const body = { checksum: sha1Of(zip), chunks: [sha1Of(zip)], projects: ['shop'] }
    const path = 'organizations/acme/releases/shop%401.0+7/assemble/'
    assert.equal((await assemble(body, token, path)).json['state'], 'ok')
    const bundle = await harness.db
      .selectFrom('artifact_bundle')
      .select('release')
      .orderBy('id', 'desc')
      .execute()
    assert.equal(bundle[0]?.release, 'shop@1.0+7')
  })

  it('that are broken say why in the body and in the status line', async () => {
    const bytes = Buffer.from('no zip at all')
    await post([plain(bytes)])
    const answer = await assemble({ checksum: sha1Of(bytes), chunks: [sha1Of(bytes)], projects: ['shop'] })
    assert.equal(answer.status, 400)
    assert.match(String(answer.json['detail']), /^the ZIP cannot be read/)
    assert.equal(answer.reason, answer.json['detail'])
  })

  it('of pieces that are not what they are called are refused, and nothing of them stays', async () => {
    const before = await chunkCount()
    const bytes = randomBytes(1_000)
    const cases: readonly (readonly [readonly FormPart[], RegExp])[] = [
      [[{ ...plain(bytes), content: 'changed' }], /has the SHA-1 [0-9a-f]{40}: it was changed/],
      [[{ ...plain(bytes), fileName: '../../etc' }], /its name is its SHA-1/],
      [[{ name: 'file_gzip', fileName: sha1Of(bytes), content: bytes }], /cannot be unpacked/],
      [
        [{ name: 'file_gzip', fileName: sha1Of(bytes), content: gzipSync(Buffer.alloc(9 * MIB)) }],
        /more than/,
      ],
      [[plain(randomBytes(8 * MIB + 1))], /more than 8388608 bytes/],
      [[plain(randomBytes(9 * MIB))], /a file has at most/],
      [[{ name: 'other', fileName: 'x', content: bytes }], /no part called/],
      [[], /no part called/],
    ]
    for (const [parts, detail] of cases) {
      const answer = await post(parts)
      assert.equal(answer.status, 400, String(detail))
      assert.match(String(answer.json['detail']), detail)
      assert.match(answer.reason, detail)
    }
    assert.equal(await chunkCount(), before)
  })

  it('with too many pieces, too many bytes or no form are refused', async () => {
    const pieces = Array.from({ length: 65 }, (_, at) => plain(Buffer.from(String(at))))
    assert.match(String((await post(pieces)).json['detail']), /at most 64 files/)
    const long = client.send('POST', CHUNKS, token, Buffer.alloc(40 * MIB), FORM)
    assert.match(String((await long).json['detail']), /a request has at most/)
    const text = await client.send('POST', CHUNKS, token, Buffer.from('{}'), {
      'content-type': 'application/json',
    })
    assert.match(String(text.json['detail']), /multipart form is needed/)
    const cut = formOf([plain(Buffer.from('half'))]).subarray(0, -20)
    assert.match(
      String((await client.send('POST', CHUNKS, token, cut, FORM)).json['detail']),
      /cannot be read/,
    )
  })

  it('without a length are read to their most and no further', async () => {
    let sent = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('--xyz\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n')
      for (; sent < 200; sent++) yield Buffer.alloc(MIB)
    }
    const answer = await client.send('POST', CHUNKS, token, endless(), FORM)
    assert.equal(answer.status, 400)
    assert.match(String(answer.json['detail']), /a request has at most|a file has at most/)
    assert.ok(sent < 100)
  })

  it('that break off hold nothing up', async () => {
    const half = formOf([plain(randomBytes(MIB))]).subarray(0, MIB / 2)
    // More than may be under way at once.
    for (let times = 0; times < 30; times++) await client.breakOff(CHUNKS, token, half)
    assert.equal((await post([plain(Buffer.from('after'))])).status, 200)
  })

  it('beyond the quota are refused, and say what to do', async () => {
    for (const at of [0, 1]) {
      const answer = await post([plain(randomBytes(3 * MIB))])
      assert.equal(answer.status, at === 0 ? 200 : 400)
      if (at === 1) assert.match(String(answer.json['detail']), /4 MiB.*SONDE_ARTIFACT_QUOTA_BYTES/)
    }
    await harness.db.deleteFrom('artifact_chunk').execute()
  })

  it('need a token that may, of this organization', async () => {
    const other = await harness.token(['org:ci'], 'other')
    const reading = await harness.token(['org:read', 'project:read', 'event:read'], 'acme')
    const body = { checksum: 'a'.repeat(40), chunks: ['a'.repeat(40)], projects: ['shop'] }
    const piece = formOf([plain(Buffer.from('x'))])
    for (const [bearer, status] of [
      ['nonsense', 401],
      [reading, 403],
    ] as const) {
      assert.equal((await client.send('GET', CHUNKS, bearer)).status, status)
      assert.equal((await client.send('POST', CHUNKS, bearer, piece, FORM)).status, status)
      assert.equal((await assemble(body, bearer)).status, status)
    }
    for (const answer of [
      await client.send('GET', CHUNKS, other),
      await client.send('POST', CHUNKS, other, piece, FORM),
      await assemble(body, other),
    ]) {
      assert.ok(answer.status === 403 || answer.status === 404)
      assert.ok(String(answer.json['detail']).length > 10)
    }
  })

  it('for what is not there, or with a body that makes no sense, say so', async () => {
    const sha1 = 'a'.repeat(40)
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ checksum: sha1, chunks: [sha1], projects: ['nope'] }, /no project "nope"/],
      [{ checksum: 'x', chunks: [sha1] }, /checksum: is a SHA-1/],
      [{ checksum: sha1, chunks: [] }, /chunks/],
      [{ checksum: sha1, chunks: Array.from({ length: 5_000 }, () => sha1) }, /at most 4096/],
      [{ checksum: sha1, chunks: [sha1], version: 'a\nb' }, /release/],
    ]
    for (const [body, detail] of cases) {
      const answer = await assemble(body)
      assert.equal(answer.status, 400)
      assert.match(String(answer.json['detail']), detail)
    }
  })
})
