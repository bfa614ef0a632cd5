import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject, saveReleaseFile } from '@sonde/commands'
import { markBundlesUsed, readArtifact } from '@sonde/stores'
import { sweepArtifacts } from '../../src/deletion/start-deletions.ts'
import { sweepAttachments } from '../../src/deletion/sweep-attachments.ts'
import { bundleZip, goodParts, MAP, openUploadHarness, type UploadHarness } from './upload-harness.ts'

const DAY_MS = 86_400_000

describe('what nobody needs of uploads', () => {
  let harness: UploadHarness
  beforeEach(async () => {
    harness = await openUploadHarness()
  })
  afterEach(() => harness.close())

  const sweep = async (signal = new AbortController().signal): Promise<void> => {
    const { db: records, blobs, clock } = harness
    const options = { records, blobs, clock, signal, retentionDays: 90, artifactRetentionDays: 30 }
    await sweepArtifacts(options)
    await sweepAttachments(options)
  }
  const releases = async (): Promise<string[]> => (await harness.bundles()).map((bundle) => bundle.release)
  const stored = async (): Promise<number> =>
    (await harness.blobNames()).filter((name) => name.startsWith('artifacts/')).length
  const waitDays = (days: number): void => harness.clock.advance(days * DAY_MS)

  it('goes after its time without use, with an audit line; what is used or the same stays', async () => {
    await harness.upload(await bundleZip(goodParts(' old')), { release: 'unused' })
    await harness.upload(await bundleZip(goodParts(' used')), { release: 'used' })
    waitDays(29)
    await markBundlesUsed(harness.db, [2, 99], harness.clock.nowMs())
    await harness.upload(await bundleZip(goodParts(' new')), { release: 'new' })
    await sweep()
    assert.deepEqual(await releases(), ['unused', 'used', 'new'])
    waitDays(3)
    assert.equal(await stored(), 4)
    await sweep()
    assert.deepEqual(await releases(), ['used', 'new'])
    assert.equal(await stored(), 3)
    assert.ok((await harness.audit()).includes('operator:server artifact.expire unused'))
    const map = (await harness.files()).find((file) => file.type === 'source_map')
    assert.equal(Buffer.from((await readArtifact(harness.blobs, map!))!).toString(), MAP)
    await markBundlesUsed(harness.db, [3], harness.clock.nowMs())
    waitDays(29)
    await sweep()
    assert.deepEqual(await releases(), ['new'])
    waitDays(3)
    await sweep()
    assert.deepEqual([await releases(), await harness.files(), await stored()], [[], [], 0])
  })

  it('is noted as used once a day', async () => {
    await harness.upload(await bundleZip(goodParts()))
    const lastUsed = async () => (await harness.bundles())[0]?.last_used_ms
    const day = harness.clock.nowMs() - (harness.clock.nowMs() % DAY_MS)
    await markBundlesUsed(harness.db, [1], harness.clock.nowMs())
    assert.equal(await lastUsed(), day)
    await markBundlesUsed(harness.db, [1], harness.clock.nowMs() - 5 * DAY_MS)
    assert.equal(await lastUsed(), day)
    await markBundlesUsed(harness.db, [1], harness.clock.nowMs() + DAY_MS)
    assert.equal(await lastUsed(), day + DAY_MS)
  })

  it('of files that come one by one stays while one of them is young', async () => {
    const send = (name: string) => {
      const input = { org: 'acme', project: 'shop', version: '1', name, dist: '', headers: [] }
      return harness
        .deps()
        .access.openProject(operatorViewer, input.org, input.project, 'release:write')
        .then((grant) => saveReleaseFile(harness.deps(), grant, input, Buffer.from(name)))
    }
    await send('~/a.js')
    waitDays(32)
    await send('~/b.js')
    await sweep()
    assert.equal((await harness.files()).length, 2)
    waitDays(32)
    await sweep()
    assert.equal((await harness.files()).length, 0)
  })

  it('are pieces that no upload asked for since a day, and what was said about uploads', async () => {
    const zip = await bundleZip(goodParts())
    await harness.send(zip, 300)
    await harness.upload(await bundleZip(goodParts(' whole')))
    const count = async (): Promise<number[]> => [
      (await harness.db.selectFrom('artifact_chunk').select('sha1').execute()).length,
      (await harness.db.selectFrom('artifact_assembly').select('checksum').execute()).length,
    ]
    const pieces = Math.ceil(zip.length / 300)
    assert.deepEqual(await count(), [pieces + 1, 1])
    harness.clock.advance(11 * 60_000)
    await sweep()
    // Those of what is stored go soon.
    assert.deepEqual(await count(), [pieces, 1])
    waitDays(1)
    await sweep()
    assert.deepEqual(await count(), [0, 0])
    assert.equal((await harness.blobNames()).filter((name) => name.startsWith('chunks/')).length, 0)
    assert.equal(await stored(), 2)
  })

  it('of a deleted project goes at once, but not what another project has too', async () => {
    await ensureProject(harness.deps(), operatorViewer, { org: 'acme', slug: 'blog', platform: 'javascript' })
    await harness.upload(await bundleZip(goodParts(' shop')), { release: 'shop' })
    await harness.upload(await bundleZip(goodParts(' both')), { release: 'both', projects: ['shop', 'blog'] })
    await harness.removeProject('acme', 'shop')
    await sweep()
    assert.deepEqual(await releases(), ['both'])
    assert.equal(await stored(), 2)
  })

  it('is left to the next time when Sonde stops meanwhile', async () => {
    await harness.upload(await bundleZip(goodParts()))
    waitDays(40)
    await sweep(AbortSignal.abort())
    assert.equal((await harness.bundles()).length, 1)
  })
})
