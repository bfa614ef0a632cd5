import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { artifactUsage, type Blobs, blobsNowUnused, keepChunks, storeChunk } from '@sonde/stores'
import { openTestBlobs, openTestRecords } from '../../../../tests/harness/engines.ts'
import type { Records } from '../../src/records/schema.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SHA1 = 'a'.repeat(40)
const HOUR_MS = 3_600_000

const folder = temporaryFolder()
let opened = 0

describe('chunks of uploads', () => {
  let records: Records
  let close: () => Promise<void>
  let blobs: Blobs
  let nowMs = 0
  const clock = { nowMs: () => nowMs }
  beforeEach(async () => {
    const dir = join(folder, String(opened++))
    ;({ records, close } = await openTestRecords())
    blobs = await openTestBlobs(dir)
    const orgs = ['acme', 'other'].map((slug) => ({ slug, name: slug, created_ms: 0 }))
    await records.insertInto('organization').values(orgs).execute()
    nowMs = 0
  })
  afterEach(() => close())

  const store = (orgId: number, put: Blobs['put'] = (name, bytes) => blobs.put(name, bytes)) =>
    storeChunk({ records, blobs: { put }, clock }, orgId, SHA1, Buffer.from('chunk'))
  const names = async (): Promise<string[]> => {
    const list = []
    for await (const { name } of blobs.list('')) list.push(name)
    return list
  }
  const keep = (orgId: number) => keepChunks({ records, clock }, orgId, [SHA1, 'b'.repeat(40)])

  it('are kept once for each organization, and are known to no other', async () => {
    await store(1)
    await store(1)
    const [[sha1, chunk] = []] = await keep(1)
    assert.equal(sha1, SHA1)
    assert.deepEqual(await names(), [chunk?.blob])
    assert.equal(chunk?.bytes, 5)
    assert.equal((await keep(2)).size, 0)
    await store(2)
    assert.equal((await names()).length, 2)
    assert.deepEqual(await artifactUsage(records, 1), { fileBytes: 0, chunkBytes: 5 })
  })

  it('that come twice at the same moment leave one, and the other becomes garbage', async () => {
    const both = Promise.withResolvers<void>()
    let writing = 0
    const put: Blobs['put'] = async (name, bytes) => {
      await blobs.put(name, bytes)
      if (++writing === 2) both.resolve()
      await both.promise
    }
    await Promise.all([store(1, put), store(1, put)])
    const [chunk] = (await keep(1)).values()
    const garbage = await blobsNowUnused(records, 10, 0)
    assert.deepEqual(new Set([chunk?.blob, ...garbage]), new Set(await names()))
    assert.equal(garbage.length, 1)
  })

  it('that could not be written are forgotten, and so is a file that a crash left', async () => {
    const failing = store(1, async (name, bytes) => {
      await blobs.put(name, bytes)
      throw new Error('no space')
    })
    await assert.rejects(failing, /no space/)
    assert.deepEqual(await blobsNowUnused(records, 10, 0), await names())

    let name = ''
    const never = new Promise<void>(() => undefined)
    const reserved = new Promise<void>((resolve) => {
      void store(2, (given) => {
        name = given
        resolve()
        return never
      })
    })
    await reserved
    assert.ok(!(await blobsNowUnused(records, 10, HOUR_MS - 1)).includes(name))
    assert.ok((await blobsNowUnused(records, 10, HOUR_MS)).includes(name))
  })

  it('are written anew when writing took longer than their name was reserved', async () => {
    const slow = store(1, async (name, bytes) => {
      await blobs.put(name, bytes)
      // What the sweep does with it.
      nowMs = 2 * HOUR_MS
      for (const old of await blobsNowUnused(records, 10, nowMs)) {
        await blobs.delete(old)
        await records.deleteFrom('blob_garbage').where('name', '=', old).execute()
      }
    })
    await assert.rejects(slow, { kind: 'unavailable' })
    assert.equal((await keep(1)).size, 0)
    await store(1)
    assert.equal((await names()).length, 1)
  })

  it('live a day longer whenever an upload names them', async () => {
    await store(1)
    nowMs = 20 * HOUR_MS
    await keep(1)
    const row = await records.selectFrom('artifact_chunk').select('expires_ms').executeTakeFirst()
    assert.equal(row?.expires_ms, 44 * HOUR_MS)
  })
})
