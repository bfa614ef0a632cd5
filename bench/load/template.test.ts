/** A template that is filled is the same envelope whether it is compressed or not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { pythonLikeEnvelopes } from '../payloads/python-like.ts'
import { createTemplate, eventId, fillTemplate } from './template.ts'

const TARGET = { host: '127.0.0.1', port: 1, path: '/api/1/envelope/', publicKey: 'k' }
const HEAD_END = '\r\n\r\n'

function sent(envelope: string, gzip: boolean, kind: number): { head: string; body: Buffer } {
  const template = createTemplate(Buffer.from(envelope), TARGET, { gzip })
  const into = Buffer.alloc(template.bytes.length)
  const length = fillTemplate(template, into, {
    id: eventId('a'.repeat(16), 7),
    nowMs: 1_795_000_000_123,
    kind,
  })
  const end = into.indexOf(HEAD_END) + HEAD_END.length
  return { head: into.toString('latin1', 0, end), body: into.subarray(end, length) }
}

test('gzip bodies unpack to what is sent plainly, with id, time and kind of each request', () => {
  for (const bytes of [3_026, 25_000, 50_000]) {
    const [envelope = ''] = pythonLikeEnvelopes({ bytes, kinds: true })
    for (const kind of [0, 65]) {
      const plain = sent(envelope, false, kind)
      const packed = sent(envelope, true, kind)
      assert.equal(plain.body.length, bytes)
      // The checksum is of what was filled in: zlib throws for another one.
      assert.deepEqual(gunzipSync(packed.body), plain.body)
      assert.ok(packed.body.length < bytes / 3, `${packed.body.length} of ${bytes}`)
      assert.match(
        packed.head,
        new RegExp(`Content-Encoding: gzip\\r\\nContent-Length: ${packed.body.length}\\r\\n`),
      )
      const [header, , event] = plain.body.toString().split('\n')
      assert.match(header ?? '', /^\{"event_id":"a{16}0{15}7"\}$/)
      const { event_id, timestamp, exception } = JSON.parse(event ?? '') as {
        event_id: string
        timestamp: number
        exception: { values: readonly { type: string }[] }
      }
      assert.equal(event_id, 'a'.repeat(16) + '7'.padStart(16, '0'))
      assert.equal(timestamp, 1_795_000_000.123)
      assert.equal(exception.values[0]?.type, `BenchError000${kind === 0 ? 'aaaa' : 'aacn'}`)
    }
  }
})

test('an envelope that does not name its event is no template', () => {
  assert.throws(() => createTemplate(Buffer.from('{}\n'), TARGET), /ID_PLACE/)
})
