import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { collectGarbage } from '../support/collect-garbage.ts'
import { ENVELOPE_PATH, EVENT_ID, eventEnvelope, send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'
import { untilInFlight } from '../support/until.ts'

let server: Running

const MIB = 1024 * 1024
const BODY = eventEnvelope()
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

type Codec = readonly [
  name: string,
  pack: (bytes: string | Buffer) => Buffer,
  stream: () => NodeJS.ReadWriteStream,
]
const CODECS: readonly Codec[] = [
  ['gzip', (bytes) => gzipSync(bytes), () => createGzip()],
  ['deflate', (bytes) => deflateSync(bytes), () => createDeflate()],
  ['br', (bytes) => brotliCompressSync(bytes, fastBrotli), () => createBrotliCompress(fastBrotli)],
  ['zstd', (bytes) => zstdCompressSync(bytes), () => createZstdCompress()],
]

/** Compressed zeros; made piece by piece, so that the test itself needs no memory for them. */
async function bomb(open: Codec[2], mib: number): Promise<Buffer> {
  const stream = open()
  const chunks: Buffer[] = []
  const ended = new Promise((resolve) => stream.on('end', resolve))
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const zeros = Buffer.alloc(MIB)
  stream.write('{}\n{"type":"attachment"}\n')
  for (let count = 0; count < mib; count++)
    if (!stream.write(zeros)) await new Promise((resolve) => stream.once('drain', resolve))
  stream.end()
  await ended
  return Buffer.concat(chunks)
}

const post = (encoding: string, body: Buffer | string): ReturnType<typeof send> =>
  send(server.port, ENVELOPE_PATH, { body, headers: { 'Content-Encoding': encoding } })

describe('compressed body', () => {
  before(async () => {
    server = await startIngest()
  })

  after(() => server.close())

  for (const [name, pack, stream] of CODECS) {
    test(`${name}: the log holds what came out`, async () => {
      const sent = await post(name, pack(BODY))
      assert.deepEqual([sent.status, sent.body], [200, `{"id":"${EVENT_ID}"}`])
      assert.equal((await server.envelopes()).at(-1)?.body.toString(), BODY)
    })

    test(`${name}: cut, followed by more, empty or something else is 400`, async () => {
      const packed = pack(BODY)
      const bad = [
        packed.subarray(0, -5),
        Buffer.concat([packed, packed]),
        Buffer.concat([packed, Buffer.from('x')]),
        Buffer.of(),
        Buffer.from(BODY),
      ]
      for (const body of bad) {
        const sent = await post(name, body)
        assert.equal(sent.status, 400, sent.body)
        assert.equal(JSON.parse(sent.body).detail, `the body is not valid ${name}`)
      }
    })

    test(`${name}: a bomb of 200 MB is 413 and costs next to nothing`, async () => {
      const packed = await bomb(stream, 200)
      let peak = 0
      collectGarbage()
      const base = process.memoryUsage().arrayBuffers
      let looks = 0
      let timer: ReturnType<typeof setTimeout> | undefined
      // Anew after each look: collecting takes its time, and nothing is unpacked meanwhile.
      const look = (): void => {
        collectGarbage()
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - base)
        looks++
        timer = setTimeout(look, 10)
      }
      look()
      const sent = await post(name, packed)
      clearTimeout(timer)
      assert.ok(looks > 1, 'nothing was seen')
      assert.equal(sent.status, 413, sent.body)
      // What is kept until it looks suspicious is one MiB, besides pieces and compressed bytes on their way.
      assert.ok(peak < 6 * MIB, `${name}: ${Math.round(peak / 1024)} kB at the peak`)
    })

    test(`${name}: an honest file of zeros below the limit arrives whole`, async () => {
      const packed = await bomb(stream, 19)
      const sent = await post(name, packed)
      assert.equal(sent.status, 200, sent.body)
      assert.equal((await server.envelopes()).at(-1)?.body.length, 19 * MIB + 25)
    })
  }

  test('x-gzip is gzip, in any case', async () => {
    assert.equal((await post('X-GZip', gzipSync(BODY))).status, 200)
  })

  test('an encoding that nobody knows is taken as it is, and fails as an envelope', async () => {
    assert.equal((await post('lzma', BODY)).status, 200)
    assert.equal((await post('lzma', gzipSync(BODY))).status, 400)
  })

  test('a zstd frame that asks for a window of 64 MiB is refused', async () => {
    const params = { [constants.ZSTD_c_windowLog]: 26, [constants.ZSTD_c_compressionLevel]: 1 }
    const sent = await post('zstd', zstdCompressSync(Buffer.alloc(65 * MIB), { params }))
    assert.ok(sent.status === 400 || sent.status === 413)
  })

  test('memory for bodies comes back after all of that', async () => {
    await untilInFlight(server, (bytes) => bytes === 0)
  })
})
