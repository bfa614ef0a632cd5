import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type Blobs, BUNDLE_LIMITS } from '@sonde/stores'
import { sweepAttachments } from '../../src/deletion/sweep-attachments.ts'
import {
  bundleZip,
  goodParts,
  MAP,
  openUploadHarness,
  type Part,
  type UploadHarness,
} from './upload-harness.ts'

const broken = (url: string, content: string): Record<string, Part> => ({
  [url]: { type: 'source_map', content },
})
const noManifest = async (): Promise<Buffer> => {
  const zip = await bundleZip(goodParts())
  return Buffer.from(zip.toString('latin1').replaceAll('manifest.json', 'manifest.jso_'), 'latin1')
}
const missingFile = async (): Promise<Buffer> => {
  const zip = await bundleZip(goodParts())
  const at = zip.indexOf('files/_/_/app.js.map', zip.lastIndexOf('PK\u0001\u0002') - 200)
  zip.write('files/_/_/app.js.mop', at)
  return zip
}

const REFUSED: Readonly<Record<string, readonly [make: () => Promise<Buffer>, says: RegExp]>> = {
  'no ZIP': [async () => Buffer.from('hello'), /the ZIP cannot be read/],
  'half a ZIP': [async () => (await bundleZip(goodParts())).subarray(0, 200), /the ZIP cannot be read/],
  'a ZIP without manifest': [noManifest, /no manifest\.json/],
  'a manifest of files that are not there': [missingFile, /is not there/],
  'a bomb': [
    () => bundleZip({ 'a.js': { type: 'source', content: Buffer.alloc(5_000_000) } }),
    /unpacks from \d+ to 5000000 bytes/,
  ],
  'nothing but other files': [
    () => bundleZip({ 'lib.so': { type: 'elf', content: 'x' } }),
    /no scripts or source maps/,
  ],
  'files that nothing would find': [
    () => bundleZip({ 'a.js': { type: 'source', content: 'a()' } }),
    /no debug ids and no release.*sourcemaps inject/,
  ],
  'a release that no event can have': [
    () => bundleZip(goodParts(), { release: 'feature/x' }),
    /the release "feature\/x" is not allowed: a name has no slash/,
  ],
  'a truncated map': [() => bundleZip(broken('a.js.map', MAP.slice(0, 40))), /~\/a\.js\.map cannot be read/],
  'maps that are HTML': [
    () => bundleZip({ ...broken('a.js.map', '<!doctype html>'), ...broken('b.js.map', '<html>') }),
    /begins with "<!doctype html>" \(and 1 more/,
  ],
  'a negative column': [
    () => bundleZip(broken('a.js.map', JSON.stringify({ ...(JSON.parse(MAP) as object), mappings: 'DAAA' }))),
    /a column is -1/,
  ],
  'a map that is too large': [
    () => bundleZip(broken('a.js.map', MAP + ' '.repeat(60_000))),
    /60\d\d\d bytes; at most 50000 are kept/,
  ],
  'too many files': [
    () =>
      bundleZip(
        Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [`${at}.js`, { type: 'source', content: `${at}` }]),
        ),
      ),
    /12 files; at most 10/,
  ],
}

describe('an upload that is refused', () => {
  let harness: UploadHarness
  beforeEach(async () => {
    harness = await openUploadHarness({ limits: { ...BUNDLE_LIMITS, entries: 10, fileBytes: 50_000 } })
  })
  afterEach(() => harness.close())

  const nothingStored = async (): Promise<void> => {
    assert.deepEqual(
      [await harness.files(), await harness.bundles(), await harness.reprocessing()],
      [[], [], []],
    )
    const { db: records, blobs, clock } = harness
    const { signal } = new AbortController()
    await sweepAttachments({ records, blobs, clock, signal, retentionDays: 90 })
    assert.deepEqual(
      (await harness.blobNames()).filter((name) => name.startsWith('artifacts/')),
      [],
    )
  }

  for (const [what, [make, says]] of Object.entries(REFUSED))
    it(`because it is ${what}, says so each time, and leaves nothing`, async () => {
      const sent = await harness.send(await make())
      await assert.rejects(harness.assemble(sent), { kind: 'invalid', message: says })
      // From memory: it is not unpacked again.
      await harness.db.deleteFrom('artifact_chunk').execute()
      await assert.rejects(harness.assemble(sent), { kind: 'invalid', message: says })
      await nothingStored()
    })

  it('because its bytes are others than it said', async () => {
    const { chunks } = await harness.send(await bundleZip(goodParts()))
    const checksum = 'a'.repeat(40)
    await assert.rejects(harness.assemble({ checksum, chunks }), {
      message: /SHA-1 is [0-9a-f]{40}, not a{40}/,
    })
    await nothingStored()
  })

  it('because there is no room, is taken once there is', async () => {
    const content = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at * 31) % 251))
    const parts = { ...goodParts(), 'big.js': { type: 'source', content } }
    const sent = await harness.send(await bundleZip(parts))
    await harness.restart({ quotaBytes: 500 })
    await assert.rejects(harness.assemble(sent), { kind: 'invalid', message: /SONDE_ARTIFACT_QUOTA_BYTES/ })
    await nothingStored()
    await assert.rejects(harness.send(await bundleZip(goodParts(' more'))), { message: /no room/ })
    await harness.restart({ quotaBytes: 1_000_000 })
    assert.deepEqual(await harness.assemble(sent), { state: 'ok' })
  })

  it('because the disk has trouble, is tried again by whoever asks again', async () => {
    const sent = await harness.send(await bundleZip(goodParts()))
    let writes = 0
    const blobs: Blobs = {
      ...harness.blobs,
      async put(name, bytes) {
        await harness.blobs.put(name, bytes)
        if (++writes === 2) throw new Error('no space left on device')
      },
    }
    await harness.restart({ blobs })
    await assert.rejects(harness.assemble(sent), { kind: 'unavailable' })
    assert.equal(writes, 2)
    await nothingStored()
    await harness.restart()
    assert.deepEqual(await harness.assemble(sent), { state: 'ok' })
    assert.equal((await harness.files()).length, 2)
  })

  it('because its project is gone by then, leaves nothing', async () => {
    const sent = await harness.send(await bundleZip(goodParts()))
    // Files are written side by side; the first of them has it removed.
    let removal: Promise<unknown> | undefined
    const blobs: Blobs = {
      ...harness.blobs,
      async put(name, bytes) {
        await harness.blobs.put(name, bytes)
        await (removal ??= harness.removeProject('acme', 'shop'))
      },
    }
    await harness.restart({ blobs })
    await assert.rejects(harness.assemble(sent), { kind: 'invalid', message: /does not exist any more/ })
    await nothingStored()
  })
})

describe('content that is there already', () => {
  it('and goes while it is named again makes the upload try again, not lose it', async () => {
    const harness = await openUploadHarness()
    try {
      await harness.upload(await bundleZip(goodParts()), { release: 'first' })
      const put: Blobs['put'] = async (name, bytes) => {
        await harness.blobs.put(name, bytes)
        await harness.db.deleteFrom('artifact_bundle').where('release', '=', 'first').execute()
      }
      // One file is new, and while it is written the other's last row goes.
      const sent = await harness.send(await bundleZip(goodParts(' other')))
      await harness.restart({ blobs: { ...harness.blobs, put } })
      await assert.rejects(harness.assemble({ ...sent, release: 'second' }), { kind: 'unavailable' })
      assert.deepEqual(await harness.assemble({ ...sent, release: 'second' }), { state: 'ok' })
      assert.deepEqual(
        (await harness.bundles()).map((bundle) => bundle.release),
        ['second'],
      )
    } finally {
      await harness.close()
    }
  })
})
