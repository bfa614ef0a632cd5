import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from '@sonde/protocol/event'
import * as fc from 'fast-check'
import {
  codeLines,
  frameFunction,
  type FrameItem,
  frameItems,
  frameLocation,
  hasFolds,
} from '../../../src/parts/event/frame-groups.ts'

const ours = (name: string): Frame => ({ function: name, in_app: true })
const theirs = (name: string): Frame => ({ function: name, in_app: false })
const shape = (items: readonly FrameItem[]): string[] =>
  items.map((item) =>
    item.kind === 'frame'
      ? (item.frame.function ?? '?')
      : item.kind === 'group'
        ? item.frames.map((frame) => frame.function).join('+')
        : `-${item.count}`,
  )

test('the most recent call is first, and library frames are folded between ours', () => {
  const frames = [
    theirs('main'),
    theirs('loop'),
    ours('handle'),
    theirs('lodash'),
    ours('pay'),
    theirs('a'),
    theirs('b'),
  ]
  assert.deepEqual(shape(frameItems(frames, 'in-app')), ['b+a', 'pay', 'lodash', 'handle', 'loop+main'])
  assert.deepEqual(shape(frameItems(frames, 'all')), ['b', 'a', 'pay', 'lodash', 'handle', 'loop', 'main'])
})

test('a stack of libraries alone is shown as it is', () => {
  assert.deepEqual(shape(frameItems([theirs('a'), theirs('b'), theirs('c')], 'in-app')), ['c', 'b', 'a'])
})

test('the views differ only where something is folded', () => {
  assert.equal(
    hasFolds([
      [theirs('a'), theirs('b')],
      [ours('c'), theirs('d')],
    ]),
    false,
  )
  assert.equal(hasFolds([[], [theirs('a'), theirs('b'), ours('c')]]), true)
})

test('what the SDK left out is said in its place', () => {
  const frames = [ours('first'), ours('second'), ours('last')]
  assert.deepEqual(shape(frameItems(frames, 'all', [2, 52])), ['last', '-50', 'second', 'first'])
  assert.deepEqual(shape(frameItems(frames, 'all', [9, 3])), ['last', 'second', 'first'])
})

test('every frame is shown once, in either view', () => {
  const stack = fc.array(
    fc.boolean().map((inApp) => ({ in_app: inApp, function: 'f' })),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(stack, fc.constantFrom('in-app' as const, 'all' as const), (frames, view) => {
      const indexes = frameItems(frames, view).flatMap((item) =>
        item.kind === 'frame'
          ? [item.index]
          : item.kind === 'group'
            ? item.frames.map((_, offset) => item.firstIndex + offset)
            : [],
      )
      assert.deepEqual(
        indexes,
        frames.map((_, index) => index),
      )
    }),
  )
})

test('a frame says where it is with what it has', () => {
  assert.equal(
    frameLocation({ in_app: true, filename: 'a.ts', abs_path: '/x/a.ts', lineno: 4, colno: 2 }),
    'a.ts:4:2',
  )
  assert.equal(frameLocation({ in_app: true, module: 'shop.cart', lineno: 4 }), 'shop.cart:4')
  assert.equal(frameLocation({ in_app: true, package: 'libc.so' }), 'libc.so')
  assert.equal(frameLocation({ in_app: true }), '')
  assert.equal(frameFunction({ in_app: true, instruction_addr: '0x1f' }), '0x1f')
})

test('lines around the call carry their numbers, none below 1', () => {
  const frame: Frame = {
    in_app: true,
    lineno: 2,
    pre_context: ['x', 'a'],
    context_line: 'b',
    post_context: ['c'],
  }
  assert.deepEqual(
    codeLines(frame).map(({ number, text, isCurrent }) => [number, text, isCurrent]),
    [
      [undefined, 'x', false],
      [1, 'a', false],
      [2, 'b', true],
      [3, 'c', false],
    ],
  )
  assert.deepEqual(codeLines({ in_app: true, pre_context: ['a'] }), [])
})
