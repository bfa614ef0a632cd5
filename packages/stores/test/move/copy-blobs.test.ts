/** Blobs that move from a folder to a real S3 server, also when it was tried before. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type S3Server, startS3 } from '../../../../tests/harness/servers/s3.ts'
import type { Blobs } from '../../src/blobs/blobs.ts'
import { openBlobs } from '../../src/blobs/folder-blobs.ts'
import { openS3Blobs } from '../../src/blobs/s3/s3-blobs.ts'
import { checkBlobsTarget, compareBlobs, copyBlobs } from '../../src/move/copy-blobs.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('blobs that move', () => {
  const dir = temporaryFolder()
  const contents = new Map<string, Buffer>([
    ['attachments/1/large', randomBytes(17 * 1024 * 1024)],
    ['dead/empty', Buffer.alloc(0)],
    ...Array.from({ length: 30 }, (_, at) => [`artifacts/${at}`, randomBytes(100 + at)] as const),
  ])
  let server: S3Server
  let bucket: ReturnType<S3Server['makeBucket']>
  let from: Blobs
  let to: Blobs
  const fileOf = (name: string): string => join(bucket.dir, 'prod', name)

  before(async () => {
    server = await startS3()
    bucket = server.makeBucket('prod')
    from = openBlobs({ dir })
    for (const [name, bytes] of contents) await from.put(name, bytes)
    to = await openS3Blobs(bucket.place)
  })
  after(() => server.stop())

  it('are all there, byte for byte, large ones too', async () => {
    await checkBlobsTarget(to, 'the bucket')
    let bytes = 0
    await copyBlobs({ from, to, onBlob: (size) => (bytes += size) })
    for (const [name, content] of contents)
      assert.ok(content.equals((await to.get(name)) ?? randomBytes(1)), name)
    assert.equal(
      bytes,
      [...contents.values()].reduce((sum, { length }) => sum + length, 0),
    )
    await assert.rejects(checkBlobsTarget(to, 'the bucket'), /the bucket is not empty: it has artifacts\/0/)
  })

  it('are left alone where they are there, and written again where they are missing, cut or other bytes', async () => {
    const [same, gone, cut, other] = ['artifacts/1', 'artifacts/2', 'artifacts/3', 'artifacts/4'] as const
    const sameAtMs = statSync(fileOf(same)).mtimeMs
    await to.delete(gone)
    await to.put(cut, Buffer.from('cut'))
    await to.put(other, randomBytes(contents.get(other)?.length ?? 0))
    assert.ok(existsSync(fileOf(same)))
    await copyBlobs({ from, to, onBlob: () => undefined })
    for (const name of [gone, cut, other])
      assert.ok(contents.get(name)?.equals((await to.get(name)) ?? Buffer.of()), name)
    assert.equal(statSync(fileOf(same)).mtimeMs, sameAtMs)
    assert.deepEqual(
      (await compareBlobs(from, to)).filter((line) => line.from !== line.to),
      [],
    )
  })

  it('are counted by folder: what one side lacks shows', async () => {
    await to.delete('artifacts/5')
    await to.put('more/1', Buffer.from('xyz'))
    assert.deepEqual(
      (await compareBlobs(from, to)).filter((line) => line.from !== line.to),
      [
        { what: 'artifacts', part: 'blobs', from: 30, to: 29 },
        { what: 'artifacts', part: 'bytes', from: 3_435, to: 3_330 },
        { what: 'more', part: 'blobs', from: 0, to: 1 },
        { what: 'more', part: 'bytes', from: 0, to: 3 },
      ],
    )
  })

  it('end at the first that fails, and say which', async () => {
    await from.put('zz/unreadable', Buffer.from('x'))
    const broken: Blobs = {
      ...from,
      get: (name) =>
        name === 'zz/unreadable' ? Promise.reject(new Error(`cannot read ${name}`)) : from.get(name),
    }
    await assert.rejects(
      copyBlobs({ from: broken, to, onBlob: () => undefined }),
      /cannot read zz\/unreadable/,
    )
    writeFileSync(join(dir, 'zz/unreadable'), 'x')
  })
})
