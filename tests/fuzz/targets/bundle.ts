/** The ZIP of an upload: everything in it is read, or it is refused as a whole; nothing unpacks to more than allowed. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { BundleError } from '@sonde/stores'
import { type BundleLimits, readManifest } from '../../../packages/stores/src/artifacts/bundle-manifest.ts'
import type { ChunkSource } from '../../../packages/stores/src/artifacts/chunks.ts'
import { openBundle } from '../../../packages/stores/src/artifacts/open-bundle.ts'
import type { Target } from '../engine/target.ts'
import { mutateZip, zipOf } from '../mutators/zip.ts'
import { fixturesIn } from './fixtures.ts'

const LIMITS: BundleLimits = { entries: 200, fileBytes: 2 ** 21, totalBytes: 2 ** 22, manifestBytes: 2 ** 20 }

export const bundle: Target = {
  name: 'bundle',
  seeds: () => [
    ...fixturesIn('bugsink-event-samples/bugsink/artifact_bundles', 50_000, '.zip'),
    zipOf([
      { name: 'manifest.json', bytes: Buffer.from(MANIFEST), isPacked: false },
      {
        name: 'files/_/_/app.js',
        bytes: Buffer.from('x()\n//# sourceMappingURL=app.js.map'),
        isPacked: true,
      },
      {
        name: 'files/_/_/app.js.map',
        bytes: Buffer.from('{"version":3,"sources":["a"],"mappings":"AAAA"}'),
        isPacked: true,
      },
    ]),
    Buffer.concat([
      Buffer.from('SYSB\x02\0\0\0'),
      zipOf([{ name: 'manifest.json', bytes: Buffer.from(MANIFEST), isPacked: true }]),
    ]),
  ],
  mutate: mutateZip,
  words: [
    'PK\x03\x04',
    'PK\x01\x02',
    'PK\x05\x06',
    'PK\x06\x06',
    'PK\x06\x07',
    'SYSB',
    '../',
    'manifest.json',
  ],
  open: () => ({ run }),
}

const MANIFEST = JSON.stringify({
  debug_id: '5b65abfb-2338-4f0b-b3b9-64c8f734d43f',
  org: 'acme',
  project: 'shop',
  release: '1.0',
  files: {
    'files/_/_/app.js': { type: 'minified_source', url: '~/app.js', headers: { Sourcemap: 'app.js.map' } },
    'files/_/_/app.js.map': { type: 'source_map', url: '~/app.js.map', headers: { 'Debug-Id': 'x' } },
  },
})

async function run(input: Buffer): Promise<void> {
  try {
    const { entries, read } = await openBundle(sourceOf(input), LIMITS)
    let total = 0
    for (const entry of entries.values()) {
      assert.ok(
        !entry.name.startsWith('/') && !entry.name.split('/').includes('..'),
        `the name ${entry.name}`,
      )
      const bytes = await read(entry)
      total += bytes.length
      assert.equal(bytes.length, entry.bytes)
      if (entry.name === 'manifest.json') readManifest(bytes)
    }
    assert.ok(total <= LIMITS.totalBytes, `${total} bytes were unpacked`)
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
  }
}

function sourceOf(input: Buffer): ChunkSource {
  return {
    bytes: input.length,
    read: async (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > input.length) throw new RangeError('beyond the end')
      return input.subarray(offset, offset + length)
    },
    sha1: async () => createHash('sha1').update(input).digest('hex'),
  }
}
