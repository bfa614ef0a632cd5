import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { RECORDING_STAGES, REPLAY_EVENT_STAGES } from '../../src/replays/replay-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from '../spans/row-cells.ts'
import { RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'

const ID = 'a'.repeat(32)
const AT = RECEIVED_MS - 5_000
const custom = (tag: string, payload: object) => ({ type: 5, timestamp: AT + 10, data: { tag, payload } })
const element = (tagName: string, attributes: object, childNodes: readonly object[] = []) => ({
  type: 2,
  id: 7,
  tagName,
  attributes,
  childNodes,
})
const recordingOf = (body: Uint8Array, header: string = '{"segment_id":3}') => {
  const input = spanInput({ header: { type: 'replay_recording' }, payload: '' })
  const payload = Buffer.concat([Buffer.from(`${header}\n`), body])
  return RECORDING_STAGES.run({ ...input, eventId: ID, payload }, new Map())
}
const stored = (events: readonly object[]) => {
  const result = recordingOf(deflateSync(JSON.stringify(events)))
  assert.ok(!isDropped(result), JSON.stringify(result))
  const content = inflateSync(result.item.recording?.content ?? Buffer.alloc(0)).toString()
  return { ...result, content, row: cells('replays', result)[0] }
}
const reasonOf = (result: ReturnType<typeof recordingOf>) =>
  isDropped(result) ? result.dropped.reason : 'kept'

describe('a segment of a recording', () => {
  test('what happened in it is counted', () => {
    const { row, item } = stored([
      { type: 4, timestamp: AT, data: { href: 'https://shop.example/cart', width: 800, height: 600 } },
      custom('breadcrumb', { category: 'ui.click' }),
      custom('breadcrumb', {
        category: 'ui.slowClickDetected',
        message: 'body > form > button#pay.wide',
        data: { endReason: 'timeout', clickCount: 4 },
      }),
      custom('breadcrumb', { category: 'ui.slowClickDetected', data: { endReason: 'mutation' } }),
      custom('performanceSpan', { op: 'resource.fetch', data: { statusCode: 503 } }),
      custom('performanceSpan', { op: 'web-vital' }),
      { type: 3, timestamp: AT + 900, data: { source: 0, adds: [], texts: [] } },
    ])
    const { replay_id: id, segment, clicks, rage_clicks: rage, dead_clicks: dead } = row ?? {}
    assert.deepEqual([id, segment, clicks, rage, dead], [ID, '3', '1', '1', '1'])
    assert.deepEqual(
      [row?.['rage_selectors'], row?.['dead_selectors']],
      ["['button#pay.wide']", "['button#pay.wide']"],
    )
    const { requests, failed_requests: failed, vitals, mutations, rrweb_events: events } = row ?? {}
    assert.deepEqual([requests, failed, vitals, mutations, events], ['1', '1', '1', '1', '7'])
    assert.match(row?.['urls'] ?? '', /shop\.example\/cart/)
    assert.deepEqual(
      [item.recording?.startedMs, item.recording?.finishedMs, item.recording?.segmentId],
      [AT, AT + 900, 3],
    )
  })

  test('times in seconds, as the SDK writes those of performance entries, are milliseconds; the recording begins with the page', () => {
    const { content, item } = stored([
      { type: 4, timestamp: AT, data: { href: 'https://shop.example/' } },
      { type: 5, timestamp: AT / 1000 - 2, data: { tag: 'performanceSpan', payload: { op: 'web-vital' } } },
      { type: 3, timestamp: AT + 700, data: { source: 3 } },
    ])
    assert.deepEqual([item.recording?.startedMs, item.recording?.finishedMs], [AT, AT + 700])
    const times = (JSON.parse(content) as { timestamp: number }[]).map(({ timestamp }) =>
      Math.round(timestamp),
    )
    assert.deepEqual(times, [AT, AT - 2_000, AT + 700])
  })

  test('secrets are not stored, nor what could load or run something', () => {
    const page = element('div', { onclick: 'steal()', title: 'plain' }, [
      element('script', { src: 'https://evil.example/a.js' }),
      element('meta', { 'http-equiv': 'refresh', content: '0;url=https://evil.example' }),
      element('link', { rel: 'preconnect', href: 'https://evil.example' }),
      element('a', { href: ' java\nscript:alert(1)' }),
      element('input', { type: 'password', value: 'hunter2hunter2' }),
      { type: 3, id: 9, textContent: 'card 4111 1111 1111 1111' },
    ])
    const { content } = stored([
      { type: 2, timestamp: AT, data: { node: page } },
      { type: 3, timestamp: AT, data: { source: 9, id: 7, commands: [{ property: 'drawImage' }] } },
      custom('breadcrumb', { category: 'console', data: { password: 'hunter2hunter2' } }),
    ])
    for (const bad of ['steal', '"script"', '"meta"', '"link"', 'alert(1)', 'hunter2', '4111', 'drawImage'])
      assert.ok(!content.includes(bad), `${bad} in ${content}`)
    assert.ok(content.includes('plain'))
  })

  test('texts and inputs are masked where the project asks for it, in snapshots and in changes', () => {
    const page = element('form', { title: 'your order' }, [
      { type: 3, id: 8, textContent: 'Ada Lovelace' },
      element('style', {}, [{ type: 3, id: 10, textContent: '.kept{color:red}', isStyle: true }]),
      element('input', { type: 'text', value: 'typed value' }),
      element('input', { type: 'submit', value: 'Order now' }),
      element('textarea', {}, [{ type: 3, id: 11, textContent: 'area words' }]),
    ])
    const events = [
      { type: 2, timestamp: AT, data: { node: page } },
      {
        type: 3,
        timestamp: AT + 1,
        data: {
          source: 0,
          texts: [{ id: 8, value: 'Grace Hopper' }],
          attributes: [{ id: 7, attributes: { placeholder: 'a hint', value: 'set value' } }],
          adds: [{ parentId: 7, node: element('p', {}, [{ type: 3, id: 12, textContent: 'added words' }]) }],
        },
      },
      { type: 3, timestamp: AT + 2, data: { source: 5, id: 9, text: 'keys pressed', isChecked: false } },
      custom('breadcrumb', { category: 'ui.click', data: { node: { textContent: 'clicked words' } } }),
    ]
    const maskedWith = (scrub: object): string => {
      const { settings, ...input } = spanInput({ header: { type: 'replay_recording' }, payload: '' })
      const payload = Buffer.from(`{"segment_id":0}\n${JSON.stringify(events)}`)
      const own = { ...settings, scrub: { ...settings.scrub, ...scrub } }
      const result = RECORDING_STAGES.run({ ...input, settings: own, eventId: ID, payload }, new Map())
      assert.ok(!isDropped(result))
      return inflateSync(result.item.recording?.content ?? Buffer.alloc(0)).toString()
    }
    const texts = [
      'Ada Lovelace',
      'Grace Hopper',
      'added words',
      'Order now',
      'your order',
      'a hint',
      'clicked words',
    ]
    const inputs = ['typed value', 'set value', 'keys pressed']
    const has = (content: string, words: readonly string[]) => words.filter((word) => content.includes(word))
    const byTexts = maskedWith({ maskReplayTexts: true })
    assert.deepEqual([has(byTexts, texts), has(byTexts, inputs)], [[], inputs])
    const byInputs = maskedWith({ enabled: false, maskReplayInputs: true })
    assert.deepEqual(
      [has(byInputs, [...inputs, 'area words']), has(byInputs, ['Ada Lovelace', 'Order now'])],
      [[], ['Ada Lovelace', 'Order now']],
    )
    const both = maskedWith({ maskReplayTexts: true, maskReplayInputs: true })
    assert.deepEqual(has(both, [...texts, ...inputs, 'area words']), [])
    assert.ok(both.includes('.kept{color:red}') && both.includes('*** ********'))
  })

  test('plain JSON is taken as well', () => {
    assert.equal(reasonOf(recordingOf(Buffer.from(JSON.stringify([{ type: 4, timestamp: AT }])))), 'kept')
  })

  test('a bomb, too many events, and what is no recording end with a reason', () => {
    assert.equal(reasonOf(recordingOf(deflateSync(Buffer.alloc(64 * 1024 * 1024)))), 'too_large')
    const many = Array.from({ length: 50_001 }, () => ({ type: 3, timestamp: AT }))
    assert.equal(reasonOf(recordingOf(deflateSync(JSON.stringify(many)))), 'too_many_items')
    assert.equal(reasonOf(recordingOf(Buffer.from('[]'), 'no header')), 'bad_json')
    assert.equal(reasonOf(recordingOf(Buffer.from('garbage'))), 'bad_payload')
    assert.equal(reasonOf(recordingOf(deflateSync('{}'))), 'bad_payload')
    assert.equal(reasonOf(recordingOf(deflateSync('[1'))), 'bad_json')
  })

  test('endless nesting is cut, not followed', () => {
    const deep = `${'{"childNodes":['.repeat(200_000)}${']}'.repeat(200_000)}`
    const text = `[{"type":2,"timestamp":${AT},"data":${deep}}]`
    assert.equal(reasonOf(recordingOf(deflateSync(text))), 'kept')
  })
})

test('what an SDK tells of the visit is a row of the replay', () => {
  const raw = {
    type: 'replay_event',
    replay_id: ID,
    segment_id: 0,
    replay_type: 'session',
    replay_start_timestamp: AT / 1000,
    timestamp: (AT + 2_000) / 1000,
    urls: ['https://shop.example/'],
    error_ids: ['b'.repeat(32), 'nonsense'],
    trace_ids: ['c'.repeat(32)],
    release: 'shop@1.4.2',
    user: { email: 'ada@example.com' },
    contexts: { culture: { timezone: 'America/Argentina/Buenos_Aires' } },
  }
  const input = spanInput({ header: { type: 'replay_event' }, payload: '' })
  const result = REPLAY_EVENT_STAGES.run({ ...input, payload: Buffer.from(JSON.stringify(raw)) }, new Map())
  assert.ok(!isDropped(result))
  const [row] = cells('replays', result)
  assert.deepEqual(
    [row?.['replay_id'], row?.['kind'], row?.['release'], row?.['user_name']],
    [ID, 'event', 'shop@1.4.2', 'ada@example.com'],
  )
  assert.equal(row?.['time_zone'], 'America/Argentina/Buenos_Aires')
  assert.equal(row?.['error_ids'], `['${'b'.repeat(32)}']`)
})
