/** Every envelope that others recorded or wrote for their tests: see fixtures/README.md. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EnvelopeError, parseEnvelope, readHeaderFields, serializeEnvelope } from '@sonde/protocol/envelope'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures')

/** Not envelopes any more: the recorder upstream replaced bytes, so `length` says more than there is. */
const MUST_FAIL: ReadonlyMap<string, string> = new Map([
  // Each byte from 0x80 up became 0xFD: binary data that went through a text decoder.
  ['spotlight-envelopes/envelope_flutter_replay.bin', 'truncated'],
  ['spotlight-envelopes/envelope_with_screenshot.bin', 'truncated'],
  // A JSON payload that was edited: 27 bytes shorter than `length` says.
  ['spotlight-envelopes/continuous_profiling/profile_chunk_1.txt', 'truncated'],
])

const files = globSync(
  ['relay/envelopes/*.envelope', 'spotlight-envelopes/**/*.{txt,bin,envelope}', 'sentry-cli/*.envelope'],
  { cwd: FIXTURES },
).toSorted()
const read = (file: string) => new Uint8Array(readFileSync(join(FIXTURES, file)))

test('all the fixtures are here', () => {
  assert.equal(files.length, 19 + 33 + 1)
  for (const file of MUST_FAIL.keys()) assert.ok(files.includes(file), `${file} is listed but not there`)
})

for (const file of files) {
  const code = MUST_FAIL.get(file)
  if (code === undefined) {
    test(`${file} parses and serialises to the same bytes`, () => {
      const bytes = read(file)
      const envelope = parseEnvelope(bytes)
      assert.ok(Buffer.from(bytes).equals(serializeEnvelope(envelope)))
      for (const item of envelope.items) {
        if (typeof item.header['length'] === 'number')
          assert.equal(item.payload.byteLength, item.header['length'])
      }
    })
  } else {
    test(`${file} is refused as ${code}`, () => {
      assert.throws(
        () => parseEnvelope(read(file)),
        (error) => error instanceof EnvelopeError && error.code === code,
      )
    })
  }
}

type ExpectedItem = {
  readonly type: string
  readonly length: number
  readonly payload_utf8?: string
  readonly payload_base64?: string
  readonly content_type?: string
  readonly filename?: string
}
type Expectation = {
  readonly file: string
  readonly ok: boolean
  readonly items?: readonly ExpectedItem[]
  readonly event_id?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly error_contains?: string
  readonly request?: { readonly dsn: string; readonly origin: string }
  readonly sent_at_unix?: number | null
}
const { cases } = JSON.parse(readFileSync(join(FIXTURES, 'relay/envelopes/expectations.json'), 'utf8')) as {
  readonly cases: readonly Expectation[]
}

for (const expected of cases.filter((one) => one.ok)) {
  test(`${expected.file} says what upstream expects`, () => {
    const { header, items } = parseEnvelope(read(`relay/envelopes/${expected.file}`))
    const fields = readHeaderFields(header)
    assert.deepEqual(
      items.map((item) => ({ type: item.header.type, length: item.payload.byteLength })),
      expected.items?.map(({ type, length }) => ({ type, length })),
    )
    for (const [index, item] of (expected.items ?? []).entries()) {
      const got = items[index]
      assert.ok(got)
      const payload = Buffer.from(got.payload)
      if (item.payload_utf8 !== undefined) assert.equal(payload.toString('utf8'), item.payload_utf8)
      if (item.payload_base64 !== undefined) assert.equal(payload.toString('base64'), item.payload_base64)
      if (item.content_type !== undefined) assert.equal(got.header['content_type'], item.content_type)
      if (item.filename !== undefined) assert.equal(got.header['filename'], item.filename)
    }
    if (expected.event_id !== undefined) assert.equal(fields.eventId, expected.event_id)
    if (expected.sent_at_unix === null) assert.equal(fields.sentAtMs, undefined)
    else if (expected.sent_at_unix !== undefined) assert.equal(fields.sentAtMs, expected.sent_at_unix * 1000)
    if (expected.headers) {
      assert.equal(fields.dsn?.projectId, String(expected.headers['project_id']))
      assert.equal(fields.dsn?.publicKey, expected.headers['public_key'])
      for (const name of ['client', 'version', 'origin', 'remote_addr', 'forwarded_for', 'user_agent']) {
        assert.equal(header[name], expected.headers[name])
      }
    }
  })
}

for (const expected of cases.filter((one) => !one.ok)) {
  test(`${expected.file} parses, and shows its other ${expected.error_contains}`, () => {
    const { header } = parseEnvelope(read(`relay/envelopes/${expected.file}`))
    const { dsn } = readHeaderFields(header)
    const request = readHeaderFields({ dsn: expected.request?.dsn }).dsn
    assert.ok(request)
    // Refusing it is the door's work; here only that the difference can be seen.
    if (expected.error_contains === 'project id') assert.notEqual(dsn?.projectId, request.projectId)
    else if (expected.error_contains === 'public key') assert.notEqual(dsn?.publicKey, request.publicKey)
    else if (expected.error_contains === 'origin') assert.notEqual(header['origin'], expected.request?.origin)
    else assert.fail(`an expectation this test does not know: ${expected.error_contains}`)
  })
}
