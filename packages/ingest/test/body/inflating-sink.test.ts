/** Small bodies are decompressed at once, others as a stream: nobody may see a difference. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { inflatingSink } from '../../src/body/body-sink.ts'
import { type Encoding, findEncoding } from '../../src/body/decoders.ts'
import { createMemoryBudget } from '../../src/body/memory-budget.ts'
import type { Refusal } from '../../src/refusal.ts'

const KIB = 1024
const MAX_BYTES = 4 * KIB * KIB
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const CODECS = {
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
  deflate: (bytes: Buffer) => deflateSync(bytes, { level: 1 }),
  br: (bytes: Buffer) => brotliCompressSync(bytes, fast),
  zstd: (bytes: Buffer) => zstdCompressSync(bytes),
} as const
const NAMES = Object.keys(CODECS) as (keyof typeof CODECS)[]

type End = {
  readonly body?: Buffer
  readonly refusal?: Refusal
  readonly streams: number
  readonly heldBytes: number
}

/** What comes out of `sent`, written in pieces of `pieceBytes`. */
async function inflate(name: string, sent: Buffer, pieceBytes: number, maxBytes = MAX_BYTES): Promise<End> {
  const encoding = findEncoding(name) as Encoding
  let streams = 0
  const counted: Encoding = { ...encoding, create: () => (streams++, encoding.create()) }
  const budget = createMemoryBudget(100 * MAX_BYTES, 1)
  const lease = budget.lease(1)
  const outcome = await new Promise<Pick<End, 'body' | 'refusal'>>((resolve) => {
    let isOver = false
    const sink = inflatingSink(counted, lease, maxBytes, {
      onBody: (body) => resolve({ body }),
      onFail(refusal) {
        isOver = true
        sink.destroy()
        resolve({ refusal })
      },
      onDrain: () => undefined,
    })
    for (let at = 0; at < sent.length; at += pieceBytes) {
      if (isOver) return
      sink.write(sent.subarray(at, at + pieceBytes))
    }
    if (!isOver) sink.end()
  })
  return { ...outcome, streams, heldBytes: budget.usedBytes() }
}

/** Half of it can be compressed. */
const bodyOf = (bytes: number): Buffer =>
  Buffer.concat([randomBytes(Math.floor(bytes / 2)), Buffer.alloc(Math.ceil(bytes / 2), 'sonde')])

test('whatever its size and pieces, what came out is what was compressed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...NAMES),
      fc.oneof(fc.nat(4 * KIB), fc.nat(600 * KIB)),
      fc.oneof(fc.integer({ min: 200, max: 2 * KIB }), fc.integer({ min: 2 * KIB, max: 80 * KIB })),
      async (name, bytes, pieceBytes) => {
        const body = bodyOf(bytes)
        const end = await inflate(name, CODECS[name](body), pieceBytes)
        assert.deepEqual(end.body, body)
        assert.ok(end.heldBytes >= body.length, 'what is handed on is accounted for')
      },
    ),
    { numRuns: 60 },
  )
})

for (const name of NAMES) {
  test(`${name}: a body as SDKs send them opens no stream, and holds its bytes only`, async () => {
    const end = await inflate(name, CODECS[name](bodyOf(50 * KIB)), 16 * KIB)
    assert.equal(end.body?.length, 50 * KIB)
    assert.deepEqual([end.streams, end.heldBytes], [0, 50 * KIB])
  })

  test(`${name}: few bytes that come to many are decompressed as a stream`, async () => {
    const end = await inflate(name, CODECS[name](Buffer.alloc(600 * KIB)), 1 * KIB)
    assert.equal(end.body?.length, 600 * KIB)
    assert.equal(end.streams, 1)
  })

  test(`${name}: the bound holds for small and large ones`, async () => {
    for (const bytes of [2 * KIB, 300 * KIB, 8 * KIB * KIB]) {
      const end = await inflate(name, CODECS[name](Buffer.alloc(bytes, 'a')), 16 * KIB, KIB)
      assert.equal(end.refusal?.details.status, 413)
    }
  })

  test(`${name}: something else is refused, whether it is small or large`, async () => {
    for (const bytes of [100, 100 * KIB]) {
      const packed = CODECS[name](randomBytes(bytes))
      const end = await inflate(name, packed.subarray(0, -5), 16 * KIB)
      assert.equal(end.refusal?.details.reason, 'bad_encoding')
    }
  })
}
