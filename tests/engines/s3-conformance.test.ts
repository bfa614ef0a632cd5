/** The contract of blobs on a real S3 server, and what only a server has: a prefix, pages, parts, the objects of others. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Blobs } from '../../packages/stores/src/blobs/blobs.ts'
import { testBlobs } from '../../packages/stores/src/blobs/conformance.ts'
import { readS3Url } from '../../packages/stores/src/blobs/s3/s3-address.ts'
import { openS3Blobs } from '../../packages/stores/src/blobs/s3/s3-blobs.ts'
import { createS3Client } from '../../packages/stores/src/blobs/s3/s3-client.ts'
import { abandonOld } from '../../packages/stores/src/blobs/s3/s3-multipart.ts'
import { startS3 } from '../harness/servers/s3.ts'
import { allOf } from './all-of.ts'

const server = await startS3()
after(() => server.stop())

const { place: common } = server.makeBucket('of/sonde')
testBlobs('s3', () => openS3Blobs(common))

const namesOf = async (blobs: Blobs, prefix = ''): Promise<string[]> =>
  (await allOf(blobs.list(prefix))).map(({ name }) => name)

test('two prefixes of a bucket do not see each other, nor what else lies in it', async () => {
  const { place, dir } = server.makeBucket()
  const [one, two] = await Promise.all(
    ['one', 'two'].map((prefix) => openS3Blobs({ ...place, url: place.url.replace('?', `${prefix}?`) })),
  )
  assert.ok(one && two)
  await one.put('a', Buffer.from('1'))
  await two.put('a', Buffer.from('2'))
  mkdirSync(join(dir, 'one', 'Photos'))
  writeFileSync(join(dir, 'one', 'Photos', 'IMG 1.JPG'), 'x')
  assert.equal(Buffer.from((await one.get('a')) ?? []).toString(), '1')
  assert.deepEqual(await namesOf(one), ['a'])
  assert.deepEqual(await namesOf(await openS3Blobs(place), 'two'), ['two/a'])
})

test('a list goes on behind the page that a server gives at once', async () => {
  const { place, dir } = server.makeBucket()
  mkdirSync(join(dir, 'many'))
  const wanted = Array.from({ length: 1_203 }, (_, at) => `many/${String(at).padStart(5, '0')}`)
  for (const name of wanted) writeFileSync(join(dir, name), '')
  assert.deepEqual(await namesOf(await openS3Blobs(place), 'many/'), wanted)
})

test('a large one goes in parts, comes back as it was and is replaced whole', async () => {
  const { place } = server.makeBucket()
  const blobs = await openS3Blobs(place)
  const bytes = randomBytes(20 * 1024 * 1024)
  await blobs.put('large', bytes)
  assert.ok(Buffer.from((await blobs.get('large')) ?? []).equals(bytes))
  const found = await blobs.open('large')
  assert.equal(found?.bytes, bytes.length)
  assert.ok(Buffer.concat(await allOf(found?.stream ?? [])).equals(bytes))
  await blobs.put('large', Buffer.from('small'))
  assert.equal(Buffer.from((await blobs.get('large')) ?? []).toString(), 'small')
})

test('what was begun in parts and not ended is given up after a day, below the own prefix', async () => {
  const { place } = server.makeBucket('own')
  const address = readS3Url(place.url)
  assert.ok(address)
  const client = createS3Client(address, place.keys)
  const begin = { method: 'POST', query: { uploads: '' }, operation: 'begin' } as const
  await client.send({ ...begin, name: 'half' }, (answer) => answer.text())
  const other = createS3Client({ ...address, prefix: 'other/' }, place.keys)
  await other.send({ ...begin, name: 'half' }, (answer) => answer.text())
  const nowMs = Date.now()
  assert.equal(await abandonOld(client, nowMs), 0)
  assert.equal(await abandonOld(client, nowMs + 25 * 3_600_000), 1)
  assert.equal(await abandonOld(client, nowMs + 25 * 3_600_000), 0)
  assert.equal(await abandonOld(other, nowMs + 25 * 3_600_000), 1)
})
