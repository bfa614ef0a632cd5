import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readFormFiles } from '../../src/endpoints/attachments.ts'
import { Refusal } from '../../src/refusal.ts'

const MIB = 1024 * 1024
const TYPE = 'multipart/form-data; boundary=x'
const FILE = 'Content-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n'
const FIELD = 'Content-Disposition: form-data; name="f"\r\n\r\n'

async function read(body: string, type = TYPE): Promise<number | string> {
  try {
    return (await readFormFiles(Buffer.from(body), type, 30)).length
  } catch (error) {
    if (error instanceof Refusal) return `${error.details.status} ${error.message}`
    throw error
  }
}

const TOO_MANY = '413 a form has at most 30 files and 100 fields'

test('a form is read no further than its limits, whatever its parts are', async () => {
  for (const part of [FILE, FIELD, '', '\r\n', 'x: y\r\n\r\n']) {
    const body = `${`--x\r\n${part}\r\n`.repeat(200_000)}--x--\r\n`
    const startedMs = performance.now()
    assert.equal(await read(body), TOO_MANY, JSON.stringify(part))
    // Reading them all takes seconds; reading up to the limit some milliseconds.
    assert.ok(performance.now() - startedMs < 1_000, `${performance.now() - startedMs} ms`)
  }
})

test('as many as are allowed are read', async () => {
  const form = (files: number, fields: number): string =>
    `${`--x\r\n${FILE}a\r\n`.repeat(files)}${`--x\r\n${FIELD}a\r\n`.repeat(fields)}--x--\r\n`
  assert.equal(await read(form(30, 100)), 30)
  assert.equal(await read(form(31, 0)), TOO_MANY)
  assert.equal(await read(form(0, 101)), TOO_MANY)
})

test('what is nearly a delimiter, a long header or no part at all is read in one go', async () => {
  const long = 'ab'.repeat(120)
  const near = `--${long}\r\n${FILE}${'ab'.repeat(4 * MIB)}\r\n--${long}--\r\n`
  const startedMs = performance.now()
  assert.equal(await read(near, `multipart/form-data; boundary=${long}`), 1)
  assert.equal(await read(`--x\r\n${FILE}${'\r\n--'.repeat(2 * MIB)}\r\n--x--\r\n`), 1)
  assert.equal(await read(`--x\r\n${'a:b\r\n'.repeat(MIB)}\r\n--x--\r\n`), 0)
  assert.equal(await read(`${'--y'.repeat(2 * MIB)}\r\n--x--\r\n`), 0)
  assert.ok(performance.now() - startedMs < 5_000, `${performance.now() - startedMs} ms`)
})

test('what is no form or ends early is refused', async () => {
  const broken = '400 the body is no multipart form'
  assert.equal(await read(''), broken)
  assert.equal(await read(`--x\r\n${FILE}a`), broken)
  assert.equal(await read(`--x\r\n${FILE}a\r\n--x--\r\n`, 'multipart/form-data'), broken)
  const tooLong = `multipart/form-data; boundary=${'y'.repeat(1_000)}`
  assert.equal(await read(`--x\r\n${FILE}a\r\n--x--\r\n`, tooLong), broken)
})

test('arbitrary bytes between delimiters are files, nothing, or a refusal', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '--x\r\n',
      '\r\n--x\r\n',
      '\r\n--x--\r\n',
      FILE,
      FIELD,
      '\r\n',
      '\r\n\r\n',
      '--',
      '"',
      '\\',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const result = await read(pieces.join(''))
      assert.match(String(result), /^(\d+|400 the body is no multipart form)$/)
    }),
    { numRuns: 500 },
  )
})

test('every file arrives as it is, in pieces of any size', async () => {
  const file = fc.uint8Array({ maxLength: 40_000 })
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 5 }), async (files) => {
      const form = new FormData()
      for (const [at, bytes] of files.entries()) form.append('f', new File([bytes], `${at}.bin`))
      // An empty form has no delimiter.
      form.append('field', 'text')
      const sent = new Response(form)
      const type = sent.headers.get('content-type') ?? ''
      const read = await readFormFiles(Buffer.from(await sent.arrayBuffer()), type, 30)
      assert.deepEqual(
        read.map(({ name, bytes }) => [name, new Uint8Array(bytes)]),
        files.map((bytes, at) => [`${at}.bin`, bytes]),
      )
    }),
    { numRuns: 50 },
  )
})
