/** A stack that was seen before costs comparing: nothing of it is mapped or written out again, and nothing else is in it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Exception, Frame, NormalizedEvent } from '@sonde/protocol/event'
import * as fc from 'fast-check'
import { eventJson, shareFrames } from '../../src/symbolicate/shared-frames.ts'

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '"\\\n', '…'))
const frame = fc.record(
  {
    function: text,
    filename: text,
    lineno: fc.integer({ min: 1, max: 3 }),
    colno: fc.constant(undefined),
    context_line: text,
    pre_context: fc.array(text, { maxLength: 2 }),
    vars: fc.dictionary(text, fc.jsonValue()),
    in_app: fc.boolean(),
  },
  { requiredKeys: ['in_app'] },
) as unknown as fc.Arbitrary<Frame>
const stack = fc.record({ frames: fc.array(frame, { maxLength: 3 }) })
const entry = fc.record(
  { type: text, value: fc.option(text, { nil: undefined }), stacktrace: stack, raw_stacktrace: stack },
  { requiredKeys: [] },
) as fc.Arbitrary<Exception>

describe('shared frames', () => {
  it('become the JSON that JSON.stringify makes of their event, the first time and later', () => {
    const others = fc.dictionary(text, fc.oneof(fc.jsonValue(), fc.constant(undefined)), { maxKeys: 4 })
    fc.assert(
      fc.property(
        others,
        fc.array(entry, { maxLength: 3 }),
        fc.array(entry, { maxLength: 2 }),
        (rest, exception, threads) => {
          const shared = shareFrames<object>()
          const positions = new Map<string, object>()
          const positionOf = (key: string): object => {
            if (!positions.has(key)) positions.set(key, {})
            return positions.get(key)!
          }
          const sharing = (list: readonly Exception[]): readonly Exception[] =>
            list.map((each, at) => ({
              ...each,
              ...(each.stacktrace && {
                stacktrace: {
                  frames: each.stacktrace.frames.map(
                    (raw, place) =>
                      shared.get(positionOf(`${at} ${place}`), raw, undefined, () => ({
                        ...raw,
                        data: { symbolicated: true },
                      })).mapped,
                  ),
                },
              }),
            }))
          const event = { ...rest, exception, threads } as unknown as NormalizedEvent
          for (let round = 0; round < 3; round++) {
            const shown = {
              ...event,
              exception: sharing(exception),
              threads: sharing(threads),
            } as unknown as NormalizedEvent
            assert.equal(eventJson(shown), JSON.stringify(shown))
          }
        },
      ),
    )
  })

  it('are mapped once for equal frames, and anew for any that differs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(frame, fc.constantFrom(undefined, 'a', 'b')), { maxLength: 8 }),
        (asked) => {
          const shared = shareFrames<object>()
          const position = {}
          for (const [raw, calledAs] of asked.flatMap((each) => [each, each])) {
            const mapped = (): Frame => ({ ...raw, function: `${calledAs} ${raw.function}` })
            const { mapped: found, raw: before } = shared.get(position, { ...raw }, calledAs, mapped)
            assert.equal(JSON.stringify(found), JSON.stringify(mapped()))
            assert.equal(JSON.stringify(before), JSON.stringify(raw))
          }
        },
      ),
    )
    let mapped = 0
    const shared = shareFrames<object>()
    const position = {}
    const raw: Frame = { function: 'e', filename: '/app.js', lineno: 1, colno: 7, in_app: true }
    const get = (each: Frame, calledAs?: string) =>
      shared.get(position, each, calledAs, () => ({ ...each, lineno: ++mapped })).mapped
    const first = get(raw)
    assert.equal(get({ ...raw }), first)
    assert.equal(mapped, 1)
    get({ ...raw, vars: {} })
    get(raw, 'total')
    get({ ...raw, in_app: false })
    get({ filename: '/app.js', function: 'e', lineno: 1, colno: 7, in_app: true })
    assert.equal(mapped, 5)
  })
})
