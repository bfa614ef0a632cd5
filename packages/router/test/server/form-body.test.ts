import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createFormBody, MAX_FORM_BYTES, MAX_FORM_FIELDS } from '../../src/server/form-body.ts'

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=x'
const field = (name: string, value = ''): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

function post(body: BodyInit, type: string): Request {
  // Streams need `duplex`, and the types do not know it.
  const init = { method: 'POST', body, headers: { 'content-type': type }, duplex: 'half' }
  return new Request('http://sonde.test/', init)
}

async function read(body: BodyInit, type: string): Promise<[string, string][] | number> {
  try {
    return [...(await createFormBody(post(body, type)).read())] as [string, string][]
  } catch (error) {
    return (error as { readonly status: number }).status
  }
}

test('what a browser would send arrives as it was typed, in either form', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((typed) =>
    // As browsers do before they send: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html
    typed.replaceAll(/\r\n|\r|\n/g, '\r\n').toWellFormed(),
  )
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', '[', ']', '-', '_', '.', 'é', '&', '='),
    minLength: 1,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 10 }), async (fields) => {
      const form = new FormData()
      for (const [key, value] of fields) form.append(key, value)
      const multipart = new Response(form)
      const type = multipart.headers.get('content-type') ?? ''
      assert.deepEqual(await read(await multipart.arrayBuffer(), type), fields)
      assert.deepEqual(await read(new URLSearchParams(fields).toString(), URLENCODED), fields)
    }),
    { numRuns: 200 },
  )
})

test('as many fields as are allowed are read, and no form with one more', async () => {
  const urlencoded = (count: number): string => Array.from({ length: count }, (_, at) => `a=${at}`).join('&')
  const multipart = (count: number): string => `${field('a', 'b').repeat(count)}--x--\r\n`
  for (const [body, type] of [
    [urlencoded, URLENCODED],
    [multipart, MULTIPART],
  ] as const) {
    const most = await read(body(MAX_FORM_FIELDS), type)
    assert.equal(typeof most === 'number' ? most : most.length, MAX_FORM_FIELDS)
    assert.equal(await read(body(MAX_FORM_FIELDS + 1), type), 413)
  }
})

test('a form beyond its limits is refused at once, however it is filled', async () => {
  const fill = (text: string): string => text.repeat(Math.floor((MAX_FORM_BYTES - 100) / text.length))
  const bodies: readonly (readonly [string, string])[] = [
    [fill('a&'), URLENCODED],
    [fill('&'), URLENCODED],
    [fill('%41=%&'), URLENCODED],
    [fill('n'), URLENCODED],
    [fill('%4'), URLENCODED],
    [fill(field('')), MULTIPART],
    [fill('--x\r\n'), MULTIPART],
    [fill('--x\r\n\r\n\r\n'), MULTIPART],
    [
      `${field('a')}--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\r\n--x--\r\n`,
      MULTIPART,
    ],
  ]
  for (const [body, type] of bodies) {
    const startedMs = performance.now()
    assert.ok([400, 413].includes((await read(body, type)) as number), body.slice(0, 40))
    assert.ok(
      performance.now() - startedMs < 1_000,
      `${body.slice(0, 40)}: ${performance.now() - startedMs} ms`,
    )
  }
})

test('no more is pulled from a body than its bound and what was on its way', async () => {
  const chunk = new Uint8Array(65_536).fill(0x61)
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += chunk.length
      assert.ok(pulled <= MAX_FORM_BYTES + 2 * chunk.length, `${pulled} bytes were pulled`)
      controller.enqueue(chunk)
    },
  })
  assert.equal(await read(endless, URLENCODED), 413)
})

test('an empty form is a form; half of one, one without a delimiter and a nameless field are not', async () => {
  assert.deepEqual(await read('', URLENCODED), [])
  assert.deepEqual(await read('--x--\r\n', MULTIPART), [])
  assert.equal(await read(field('a'), MULTIPART), 400)
  assert.equal(await read(`${field('a')}--x--\r\n`, 'multipart/form-data'), 400)
  assert.equal(
    await read('--x\r\nContent-Disposition: form-data; size="1"\r\n\r\na\r\n--x--\r\n', MULTIPART),
    400,
  )
  assert.equal(await read('{}', 'application/json'), 415)
})
