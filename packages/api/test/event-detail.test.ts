import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '@sonde/protocol/event'
import { eventDetailJson, eventSourceJson } from '../src/serializers/event-detail.ts'
import { fixtureEvents } from './fixture-events.ts'

/** Plain JSON, as a client gets it. */
const asJson = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

describe('the raw event', () => {
  for (const { name, stored, detail } of fixtureEvents) {
    it(`${name} reads as open-source Sentry stored it`, () => {
      const answer = asJson(eventSourceJson(detail))
      for (const [field, value] of Object.entries(stored)) {
        // Null means unknown there, and unknown is absent here; the others are Sentry's own bookkeeping.
        if (value === null || ['key_id', 'version', 'message', 'tags'].includes(field)) continue
        assert.deepEqual(answer[field], value, field)
      }
      const tags = stored['tags'] as unknown as [string, string][]
      assert.deepEqual(
        answer['tags'],
        tags.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
    })
  }
})

describe('the event detail', () => {
  const FIELDS =
    `id eventID groupID projectID type title message location culprit metadata platform dist release
     dateCreated dateReceived size entries tags user contexts context packages sdk errors fingerprints
     previousEventID nextEventID occurrence userReport crashFile _meta`.split(/\s+/)

  for (const { name, stored, detail } of fixtureEvents) {
    it(`${name} has every field of the public shape, under its public name`, () => {
      const answer = asJson(eventDetailJson(detail))
      for (const field of FIELDS) assert.ok(Object.hasOwn(answer, field), field)
      assert.equal(answer['eventID'], stored['event_id'])
      assert.equal(answer['projectID'], String(stored['project'] as number))
      assert.equal(answer['groupID'], '7')
      assert.equal(answer['title'], stored['title'])
      assert.deepEqual(answer['context'], stored['extra'] ?? {})
      assert.deepEqual(answer['packages'], stored['modules'] ?? {})
      assert.deepEqual(answer['contexts'], stored['contexts'] ?? {})
      const entries = answer['entries'] as { type: string; data: JsonObject }[]
      const expected = ['exception', 'threads', 'breadcrumbs', 'request', 'message'].filter((type) => {
        const value = stored[type === 'message' ? 'logentry' : type]
        return value !== null && value !== undefined
      })
      assert.deepEqual(
        entries.map((entry) => entry.type).filter((type) => type !== 'debugmeta' && type !== 'template'),
        expected,
      )
    })
  }

  it('frames are camelCase, and source context is numbered', () => {
    const zero = fixtureEvents.find(({ name }) => name === 'python_zero_division.json')
    assert.ok(zero)
    // Upstream's test took every frame for a library's.
    const exception0 = zero.detail.event.exception?.[0]
    const frames = exception0?.stacktrace?.frames.map((frame) => ({
      ...frame,
      in_app: frame.filename === 'errors/views.py',
    }))
    assert.ok(frames)
    const event = { ...zero.detail.event, exception: [{ ...exception0, stacktrace: { frames } }] }
    const [entry] = asJson(eventDetailJson({ ...zero.detail, event }))['entries'] as { data: JsonObject }[]
    assert.ok(entry)
    const [exception] = entry.data['values'] as {
      type: string
      stacktrace: { frames: JsonObject[]; hasSystemFrames: boolean }
    }[]
    assert.equal(exception?.type, 'ZeroDivisionError')
    assert.equal(exception?.stacktrace.hasSystemFrames, true)
    const frame = exception?.stacktrace.frames.at(-1)
    assert.deepEqual(
      [frame?.['filename'], frame?.['absPath'], frame?.['lineNo'], frame?.['inApp'], frame?.['function']],
      ['errors/views.py', '/code/errors/views.py', 18, true, 'get'],
    )
    const context = frame?.['context'] as [number, string][]
    assert.deepEqual(
      context.map(([line]) => line),
      [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23],
    )
    assert.deepEqual(context[5], [18, '        0/0'])
    assert.ok(!JSON.stringify(entry).includes('abs_path'))
  })

  it('breadcrumbs have dates, requests have pairs, errors have their type', () => {
    const detail = fixtureEvents.find(({ name }) => name === 'js_error_with_context.json')?.detail
    assert.ok(detail)
    const event = {
      ...detail.event,
      breadcrumbs: [{ type: 'default', level: 'info', timestamp: 1_600_000_000.5, data: { a: 1 } }],
      request: { url: 'http://x.test/', query_string: [['a', 'b']], headers: [['Accept', '*/*']] },
      errors: [{ type: 'invalid_data', name: 'release', value: 5 }],
      user: { id: '1', email: 'a@b.test' },
      release: 'shop@1.2.3',
    } as const
    const answer = asJson(eventDetailJson({ ...detail, event }))
    const text = JSON.stringify(answer)
    assert.ok(text.includes('"timestamp":"2020-09-13T12:26:40.500000Z"'))
    assert.ok(text.includes('"query":[["a","b"]]'))
    assert.deepEqual(answer['errors'], [
      { type: 'invalid_data', message: '', data: { name: 'release', value: 5 } },
    ])
    assert.deepEqual(answer['release'], { version: 'shop@1.2.3', shortVersion: '1.2.3' })
    assert.equal((answer['user'] as JsonObject)['email'], 'a@b.test')
  })
})
