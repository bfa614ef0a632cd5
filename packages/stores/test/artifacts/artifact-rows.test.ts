import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  blobsNowUnused,
  claimBlobs,
  packContent,
  readArtifact,
  releaseBlobs,
  reserveBlobs,
} from '@sonde/stores'
import { openTestBlobs, openTestRecords } from '../../../../tests/harness/engines.ts'
import type { Records } from '../../src/records/schema.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('rows of uploaded files', () => {
  let records: Records
  let close: () => Promise<void>
  let ids: { org: number; shop: number; blog: number }
  beforeEach(async () => {
    ;({ records, close } = await openTestRecords())
    const { id: org } = await records
      .insertInto('organization')
      .values({ slug: 'acme', name: 'Acme', created_ms: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const [shop, blog] = await records
      .insertInto('project')
      .values(
        ['shop', 'blog'].map((slug) => ({ org_id: org, slug, name: slug, platform: 'node', created_ms: 0 })),
      )
      .returning('id')
      .execute()
    ids = { org, shop: shop!.id, blog: blog!.id }
  })
  afterEach(() => close())

  const bundle = async (projects: readonly number[], blobs: readonly string[]): Promise<number> => {
    const { id } = await records
      .insertInto('artifact_bundle')
      .values({
        org_id: ids.org,
        kind: 'bundle',
        checksum: 'c',
        debug_id: '',
        release: '',
        dist: '',
        actor: 'operator:cli',
        created_ms: 0,
        last_used_ms: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await records
      .insertInto('artifact_bundle_project')
      .values(projects.map((project_id) => ({ bundle_id: id, project_id })))
      .execute()
    const file = {
      bundle_id: id,
      org_id: ids.org,
      type: 'source_map' as const,
      url: '~/a.js.map',
      debug_id: '',
      map_ref: '',
      headers: '{}',
      bytes: 1,
      stored_bytes: 1,
      sha1: '',
      problem: '',
      problem_detail: '',
      created_ms: 0,
    }
    await records
      .insertInto('artifact_file')
      .values(blobs.map((blob) => ({ ...file, blob })))
      .execute()
    return id
  }
  const garbage = async (): Promise<string[]> => [...(await blobsNowUnused(records, 10, 0))].sort()
  const bundles = async (): Promise<number[]> =>
    (await records.selectFrom('artifact_bundle').select('id').execute()).map((row) => row.id)
  const epoch = async (): Promise<number> =>
    (await records.selectFrom('artifact_epoch').select('value').executeTakeFirstOrThrow()).value

  it('go with the last of their projects, and content that nobody else has becomes garbage', async () => {
    const both = await bundle([ids.shop, ids.blog], ['x', 'y', ''])
    const one = await bundle([ids.shop], ['y', 'z'])
    await records.deleteFrom('project').where('id', '=', ids.shop).execute()
    assert.deepEqual(await bundles(), [both])
    assert.deepEqual(await garbage(), ['z'])
    assert.ok(one)
    const before = await epoch()
    await records.deleteFrom('project').where('id', '=', ids.blog).execute()
    assert.deepEqual(await bundles(), [])
    assert.deepEqual(await garbage(), ['x', 'y', 'z'])
    assert.ok((await epoch()) > before)
  })

  it('go with their organization, chunks too', async () => {
    await bundle([ids.shop], ['x', 'x', 'y'])
    await records
      .insertInto('artifact_chunk')
      .values({ org_id: ids.org, sha1: 's', blob: 'chunk', bytes: 1, expires_ms: 5 })
      .execute()
    await records.deleteFrom('organization').where('id', '=', ids.org).execute()
    assert.deepEqual(await garbage(), ['chunk', 'x', 'y'])
    assert.deepEqual(await bundles(), [])
  })

  it('may name a blob that was reserved, until it is given up', async () => {
    await reserveBlobs(records, ['a', 'b'], 1_000)
    assert.deepEqual(await blobsNowUnused(records, 10, 999), [])
    await claimBlobs(records, ['a'])
    assert.deepEqual(await blobsNowUnused(records, 10, 1_000), ['b'])
    await assert.rejects(claimBlobs(records, ['a']), { kind: 'unavailable' })
    await releaseBlobs(records, ['b'])
    assert.deepEqual(await blobsNowUnused(records, 10, 0), ['b'])
  })
})

describe('content of an uploaded file', () => {
  it('comes back whole, or says that it is gone or damaged', async () => {
    const blobs = await openTestBlobs(temporaryFolder())
    const bytes = Buffer.from('let a = 1\n'.repeat(1000))
    const packed = await packContent(bytes)
    assert.ok(packed.length < 200)
    await blobs.put('a', packed)
    await blobs.put('empty', await packContent(Buffer.alloc(0)))
    const read = (blob: string, length: number) => readArtifact(blobs, { blob, bytes: length })
    assert.ok(bytes.equals((await read('a', bytes.length)) ?? Buffer.alloc(0)))
    assert.equal((await read('empty', 0))?.length, 0)
    assert.equal(await read('gone', 1), undefined)
    assert.equal(await read('', 1), undefined)
    await assert.rejects(read('a', bytes.length - 1), { kind: 'internal' })
    await assert.rejects(read('a', bytes.length + 1), { kind: 'internal' })
    await blobs.put('a', packed.subarray(0, 20))
    await assert.rejects(read('a', bytes.length), { kind: 'internal' })
  })
})
