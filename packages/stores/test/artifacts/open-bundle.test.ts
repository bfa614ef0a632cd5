import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { UnavailableError } from '@sonde/base'
import { BUNDLE_LIMITS, type BundleLimits, chunkSource, openBundle } from '@sonde/stores'
import { type ZipPart, zipOf } from './zip-file.ts'

const HEADER = Buffer.from([0x53, 0x59, 0x53, 0x42, 2, 0, 0, 0])
const two: readonly ZipPart[] = [
  { name: 'manifest.json', content: '{}' },
  { name: 'files/_/_/a.js', content: 'let a = 1\n'.repeat(500) },
]

/** In pieces of a few bytes, as if uploaded so. */
function sourceOf(bytes: Uint8Array, pieceBytes = 100) {
  const pieces = new Map<string, Uint8Array>()
  const chunks = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes)
    pieces.set(String(at), piece)
    chunks.push({ blob: String(at), bytes: piece.length })
  }
  const loaded: string[] = []
  const get = async (name: string): Promise<Uint8Array | undefined> => {
    loaded.push(name)
    return pieces.get(name)
  }
  return { source: chunkSource({ get }, chunks), pieces, loaded }
}
const open = (bytes: Uint8Array, limits: Partial<BundleLimits> = {}) =>
  openBundle(sourceOf(bytes).source, { ...BUNDLE_LIMITS, ...limits })
const refused = (job: Promise<unknown>, message: RegExp) =>
  assert.rejects(job, { name: 'BundleError', message })

describe('an uploaded ZIP', () => {
  it('is read from its chunks, packed or stored, with or without the header before it', async () => {
    const parts = [...two, { name: 'files/_/_/b.js', content: 'b', stored: true }]
    for (const bytes of [
      zipOf(parts),
      zipOf(parts, { bytes: HEADER, isCounted: true }),
      zipOf(parts, { bytes: HEADER, isCounted: false }),
    ]) {
      const bundle = await open(bytes)
      assert.deepEqual(
        [...bundle.entries.keys()],
        parts.map((part) => part.name),
      )
      for (const part of parts) {
        const entry = bundle.entries.get(part.name)!
        assert.equal(entry.bytes, part.content.length)
        assert.equal((await bundle.read(entry)).toString(), part.content)
      }
    }
  })

  it('is hashed as a whole, and each of its chunks is loaded once when it is read in order', async () => {
    const parts = Array.from({ length: 20 }, (_, at) => ({
      name: `f${at}`,
      content: Buffer.from(Array.from({ length: 300 }, (__, i) => (i * at * 7) % 256)),
      stored: true,
    }))
    const bytes = zipOf(parts)
    const { source, loaded } = sourceOf(bytes, 1000)
    assert.equal(await source.sha1(), createHash('sha1').update(bytes).digest('hex'))
    const bundle = await openBundle(source, BUNDLE_LIMITS)
    loaded.length = 0
    for (const entry of bundle.entries.values()) await bundle.read(entry)
    assert.deepEqual(loaded, [...new Set(loaded)])
    await assert.rejects(source.read(bytes.length - 1, 2), RangeError)
  })

  it('that is cut off anywhere is refused', async () => {
    const bytes = zipOf(two)
    for (let length = 0; length < bytes.length; length += 7) {
      await assert.rejects(open(bytes.subarray(0, length)), { name: 'BundleError' })
    }
  })

  it('with a file that unpacks to more or less than it says is refused', async () => {
    const content = 'a'.repeat(10_000)
    for (const claimedBytes of [9_999, 10_001, 500]) {
      const bundle = await open(zipOf([{ name: 'a', content, claimedBytes }]))
      await refused(bundle.read(bundle.entries.get('a')!), /"a"/)
    }
    const stored = await open(zipOf([{ name: 'a', content, stored: true }]))
    assert.equal((await stored.read(stored.entries.get('a')!)).length, 10_000)
    await refused(open(zipOf([{ name: 'a', content, claimedPackedBytes: 20_000 }])), /larger packed/)
    await refused(
      open(zipOf([{ name: 'a', content, stored: true, claimedBytes: 9_999 }])),
      /the ZIP cannot be read/,
    )
  })

  it('that is a bomb is refused by what its directory says', async () => {
    const zeros = Buffer.alloc(3_000_000)
    await refused(open(zipOf([{ name: 'a', content: zeros }])), /unpacks from \d+ to 3000000 bytes/)
    const shared = [
      { name: 'a', content: 'x'.repeat(2_000) },
      { name: 'b', content: 'x'.repeat(2_000), at: 0 },
    ]
    await refused(open(zipOf(shared)), /overlap/)
    const many = Array.from({ length: 5 }, (_, at) => ({ name: String(at), content: 'x'.repeat(1000) }))
    await refused(open(zipOf(many), { totalBytes: 4_999 }), /5000 bytes unpacked; at most 4999/)
    assert.equal((await open(zipOf(many), { totalBytes: 5_000 })).entries.size, 5)
  })

  it('with too many files is refused, the manifest not counted', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ name: `${at}.js`, content: '' }))
    assert.equal((await open(zipOf(many.slice(0, 11)), { entries: 10 })).entries.size, 11)
    await refused(open(zipOf(many), { entries: 10 }), /11 files; at most 10/)
    await refused(open(zipOf(many), { entries: 5 }), /12 files; at most 5/)
  })

  it('with names that lead elsewhere or are there twice is refused', async () => {
    for (const name of ['../../etc/passwd', '/etc/passwd', 'a/../../b', 'C:/b', 'a\\b'])
      await refused(open(zipOf([{ name, content: 'x' }])), /the ZIP cannot be read/)
    await refused(open(zipOf([two[0]!, two[1]!, two[1]!])), /is there twice/)
  })

  it('that is encrypted or packed in another way is refused', async () => {
    await refused(open(zipOf([{ name: 'a', content: 'x', flags: 0x801 }])), /encrypted/)
    await refused(open(zipOf([{ name: 'a', content: 'x', method: 14 }])), /method 14/)
  })

  it('that cannot be read now is no refusal', async () => {
    const { source, pieces } = sourceOf(zipOf(two))
    pieces.delete('100')
    await assert.rejects(
      openBundle(source, BUNDLE_LIMITS).then((bundle) => bundle.read(bundle.entries.get('files/_/_/a.js')!)),
      UnavailableError,
    )
  })
})
