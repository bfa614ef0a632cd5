/** Attachments as SDKs send them, at the edges: the largest, the empty, bytes that look like an envelope, names of any kind. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ITEM_MAX_BYTES } from '@sonde/protocol'
import { newEventId } from '../e2e/screens-events.ts'
import { assertOutcomes } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'

type Listed = { readonly id: string; readonly name: string; readonly size: number; readonly sha1: string }
type File = readonly [name: string, bytes: Uint8Array]

let harness: Harness
before(async () => {
  harness = await openHarness('node')
})
after(() => harness?.close())

async function send(eventId: string, event: object | undefined, files: readonly File[]): Promise<number> {
  const item = (header: object, bytes: Uint8Array): Uint8Array[] => [
    Buffer.from(`${JSON.stringify({ ...header, length: bytes.length })}\n`),
    bytes,
    Buffer.from('\n'),
  ]
  const body = Buffer.concat([
    Buffer.from(`${JSON.stringify({ event_id: eventId })}\n`),
    ...(event ? item({ type: 'event' }, Buffer.from(JSON.stringify(event))) : []),
    ...files.flatMap(([filename, bytes]) => item({ type: 'attachment', filename }, bytes)),
  ])
  const { sonde, project } = harness
  const door = `${sonde.url}/api/${project.id}/envelope/?sentry_key=${project.publicKey}&sentry_version=7`
  const answer = await fetch(door, { method: 'POST', body })
  await answer.body?.cancel()
  return answer.status
}

const listOf = (eventId: string): string => `/api/0/projects/acme/shop/events/${eventId}/attachments/`
const listed = (eventId: string, count: number): Promise<Listed[]> =>
  harness.api.until<Listed[]>(listOf(eventId), (list) => list.length >= count)
const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

async function assertSame(eventId: string, files: readonly File[]): Promise<void> {
  const found = await listed(eventId, files.length)
  assert.deepEqual(
    found.map(({ name, size, sha1: hash }) => [name, size, hash]),
    files.map(([name, bytes]) => [name, bytes.length, sha1(bytes)]),
  )
  for (const [at, [name, bytes]] of files.entries()) {
    const answer = await harness.api.download(`${listOf(eventId)}${found[at]?.id}/?download=1`)
    assert.equal(answer.headers.get('content-length'), String(bytes.length), name)
    assert.equal(sha1(new Uint8Array(await answer.arrayBuffer())), sha1(bytes), name)
  }
}

test('of any name and content come back as they were', async () => {
  const eventId = newEventId()
  const files: File[] = [
    ['empty', new Uint8Array()],
    ['lines.bin', Buffer.from('\n\n{"type":"event"}\n{}\n\r\n\0\n', 'latin1')],
    ['../../../etc/passwd', Buffer.from('root')],
    ['C:\\Users\\ada\\größe 🚀 \u202Efdp.exe', randomBytes(1000)],
    ['x'.repeat(255), Buffer.from([0x0a])],
  ]
  assert.equal(await send(eventId, { message: 'odd files' }, files), 200)
  await assertSame(eventId, files)
})

test('the largest that is allowed is kept, a larger one does not cost its event', async () => {
  const eventId = newEventId()
  const largest: File = ['largest.bin', randomBytes(ITEM_MAX_BYTES.attachment)]
  assert.equal(await send(eventId, { message: 'large files' }, [largest]), 200)
  await assertSame(eventId, [largest])
  const other = newEventId()
  const tooLarge: File = ['larger.bin', Buffer.alloc(ITEM_MAX_BYTES.attachment + 1)]
  assert.equal(await send(other, { message: 'larger files' }, [tooLarge]), 200)
  await harness.api.until(`/api/0/projects/acme/shop/events/${other}/`, () => true)
  assert.deepEqual((await harness.api.get(listOf(other))).body, [])
  await assertOutcomes(harness, [
    { category: 'attachment', outcome: 'invalid', reason: 'too_large', quantity: 1 },
  ])
})

test('that come before their event, and again with it, are there once', async () => {
  const eventId = newEventId()
  const file: File = ['early.txt', Buffer.from('before the event')]
  assert.equal(await send(eventId, undefined, [file]), 200)
  await assertSame(eventId, [file])
  assert.equal(await send(eventId, { message: 'after its file' }, [file]), 200)
  await harness.api.until(`/api/0/projects/acme/shop/events/${eventId}/`, () => true)
  await assertSame(eventId, [file])
  await assertOutcomes(harness, [
    { category: 'attachment', outcome: 'invalid', reason: 'duplicate_attachment', quantity: 1 },
  ])
})
