/** A minidump becomes the event of its crash, with an event around it or without; whatever its bytes are, it ends. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { encodeIntakeRecord } from '@sonde/log'
import { createEnvelope, type ItemHeader, serializeEnvelope } from '@sonde/protocol/envelope'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { MinidumpError, readMinidump } from '@sonde/symbols'
import { processRecord } from '../../src/process/process-record.ts'
import { DEFAULT_PROCESSING_SETTINGS } from '../../src/process/settings-history.ts'
import { buildDump, MODULE, STACK } from './build-dump.ts'

const EVENT_ID = 'ab'.repeat(16)
const DUMP: ItemHeader = { type: 'attachment', filename: 'crash.dmp', attachment_type: 'event.minidump' }
const code = (offset: number): number => MODULE.base + offset
/** `fp` leads to one caller, a word further up to another. */
const CRASH = buildDump({ fp: STACK + 16, stack: [1, 2, STACK + 32, code(0x2004), 0, 0, code(0x3010)] })

function digest(items: readonly (readonly [ItemHeader, object | Uint8Array])[]) {
  const envelope = createEnvelope(
    { event_id: EVENT_ID },
    items.map(([header, payload]) => ({ header, payload })),
  )
  const meta = {
    v: 1,
    kind: 'envelope',
    receivedMs: 1_790_000_000_000,
    projectId: 3,
    keyId: 4,
    eventId: EVENT_ID,
  } as const
  const bytes = encodeIntakeRecord(meta, serializeEnvelope(envelope))
  const { events, attachments, outcomes, dead } = processRecord(
    { position: 5, next: 9, bytes },
    DEFAULT_PROCESSING_SETTINGS,
  )
  assert.deepEqual(dead, [])
  return {
    attachments,
    outcomes,
    events: events.map(({ row }) => eventOf(String(row))),
  }
}

/** The payload's cell of a row: tabs, newlines and backslashes are escaped in it. */
function eventOf(row: string): NormalizedEvent {
  const cell = row.split('\t').find((text) => text.startsWith('{') && text.includes('"derived"'))
  assert.ok(cell)
  return JSON.parse(cell.replaceAll(/\\(.)/g, '$1')) as NormalizedEvent
}

describe('a minidump', () => {
  it('tells why and where, with the stack by frame pointers and then by scanning', () => {
    const { events, attachments } = digest([[DUMP, CRASH]])
    const [event] = events
    assert.equal(events.length, 1)
    assert.equal(attachments.length, 1)
    assert.equal(event?.event_id, EVENT_ID)
    assert.equal(event.level, 'fatal')
    assert.match(event.derived.title, /^Fatal Error: SIGSEGV at 0x45/)
    const stack = event.exception?.[0]?.stacktrace
    assert.deepEqual(
      stack?.frames.map((frame) => [frame.instruction_addr, frame.data?.['trust'], frame.package]),
      [
        ['0x403010', 'scan', '/app/shop'],
        ['0x402004', 'fp', '/app/shop'],
        ['0x401008', 'context', '/app/shop'],
      ],
    )
    assert.equal(stack?.registers?.['rip'], '0x401008')
    assert.equal(event.threads?.[0]?.crashed, true)
    const [image] = (event.debug_meta?.['images'] ?? []) as Record<string, unknown>[]
    assert.equal(image?.['debug_id'], 'c0bcc3f1-9827-fe65-3058-404b2831d9e6')
    assert.equal(event.contexts?.['os']?.['name'], 'Linux')
  })

  it('keeps what the event beside it says', () => {
    const beside = { release: 'shop@1', tags: { cart: 'full' }, platform: 'native' }
    const { events } = digest([
      [{ type: 'event' }, beside],
      [DUMP, CRASH],
    ])
    assert.equal(events.length, 1)
    assert.equal(events[0]?.release, 'shop@1')
    assert.equal(events[0]?.exception?.[0]?.type, 'SIGSEGV')
  })

  it('takes what the SDK wrote down before: the event and the breadcrumbs of both files, in order', () => {
    const crumb = (second: number) => ({
      message: `step ${second}`,
      timestamp: `2026-11-24T10:00:0${second}Z`,
    })
    const { events, attachments, outcomes } = digest([
      [{ type: 'event' }, { tags: { form: 'yes' } }],
      [DUMP, CRASH],
      [
        { type: 'attachment', filename: '__sentry-event' },
        encode({
          release: 'shop@2',
          timestamp: '2020-01-01T00:00:00Z',
          user: { id: '7', ip_address: '198.51.100.7' },
          contexts: { gpu: { name: 'Apple M1' } },
          extra: { raw: new Uint8Array(9) },
        }),
      ],
      [
        { type: 'attachment', filename: '__sentry-breadcrumb1' },
        Buffer.concat([crumb(3), crumb(4)].map((each) => encode(each))),
      ],
      [
        { type: 'attachment', filename: 'b', attachment_type: 'event.breadcrumbs' },
        Buffer.concat([crumb(1), crumb(2)].map((each) => encode(each))),
      ],
    ])
    const [event] = events
    assert.equal(events.length, 1)
    assert.equal(event?.release, 'shop@2')
    assert.equal(event.user?.id, '7')
    assert.equal(event.contexts?.['gpu']?.['name'], 'Apple M1')
    assert.deepEqual(
      event.tags?.find(([key]) => key === 'form'),
      ['form', 'yes'],
    )
    assert.equal(event.exception?.[0]?.type, 'SIGSEGV')
    assert.ok(event.timestamp > Date.parse('2025-01-01') / 1000)
    // Either file alone was full, so as many are kept.
    assert.deepEqual(
      event.breadcrumbs?.map(({ message }) => message),
      ['step 3', 'step 4'],
    )
    assert.deepEqual(
      attachments.map(({ name }) => name),
      ['crash.dmp'],
    )
    assert.deepEqual(
      outcomes.map(({ category, outcome, reason, quantity }) => [category, outcome, reason, quantity]),
      Array.from({ length: 3 }, () => ['attachment', 'accepted', '', 1]),
    )
  })

  it('is an event too where the parts beside it cannot be read; parts alone are files', () => {
    const part: ItemHeader = { type: 'attachment', filename: '__sentry-event' }
    const { events } = digest([
      [DUMP, CRASH],
      [part, Buffer.alloc(3_000, 0xdd)],
    ])
    assert.equal(events[0]?.exception?.[0]?.type, 'SIGSEGV')
    const alone = digest([[part, encode({ release: 'shop@2' })]])
    assert.deepEqual([alone.events.length, alone.attachments.length], [0, 1])
  })

  it('that cannot be read is an event that says so', () => {
    const { events } = digest([[DUMP, Buffer.from('MDMP')]])
    assert.match(events[0]?.exception?.[0]?.value ?? '', /the minidump cannot be read/)
  })

  it('ends, whatever its counts and pointers are', () => {
    const cyclic = buildDump({ fp: STACK + 16, stack: [0, 0, STACK + 16, code(0x2000)] })
    assert.ok(readMinidump(cyclic).threads[0]!.frames.length < 10)
    const many = buildDump({ fp: 0, stack: Array.from({ length: 5000 }, () => code(0x10)), modules: 100_000 })
    assert.ok(readMinidump(many).threads[0]!.frames.length <= 200)
    for (let length = 0; length < CRASH.length; length += 7) tryRead(CRASH.subarray(0, length))
    for (let at = 0; at < 1000; at++) {
      const broken = Buffer.from(CRASH)
      broken.fill(0xff, at, at + 4)
      tryRead(broken)
    }
  })
})

function tryRead(bytes: Buffer): void {
  try {
    readMinidump(bytes)
  } catch (error) {
    assert.ok(error instanceof MinidumpError, String(error))
  }
}
