import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exception } from '@sonde/protocol/event'
import fc from 'fast-check'
import { exceptionName, listExceptions } from '../../../src/parts/event/exception-tree.ts'

const exception = (
  type: string,
  id?: number,
  parent?: number,
  source?: string,
  isGroup = false,
): Exception => ({
  type,
  mechanism: {
    type: 'chained',
    ...(id === undefined ? {} : { exception_id: id }),
    ...(parent === undefined ? {} : { parent_id: parent }),
    ...(source === undefined ? {} : { source }),
    ...(isGroup ? { is_exception_group: true } : {}),
  },
})
const shape = (list: readonly Exception[]) =>
  listExceptions(list).map(
    ({ exception: { type }, relation, depth }) => `${'  '.repeat(depth)}${type} ${relation}`,
  )

test('without numbers the last was thrown and each is caused by the one before it', () => {
  assert.deepEqual(shape([{ type: 'Inner' }, { type: 'Middle' }, { type: 'Outer' }]), [
    'Outer thrown',
    'Middle cause',
    'Inner cause',
  ])
})

test('a group has its members below it, each followed by its own cause', () => {
  const list = [
    exception('KeyError', 3, 1, '__cause__'),
    exception('TypeError', 2, 0, 'exceptions[1]'),
    exception('ValueError', 1, 0, 'exceptions[0]'),
    exception('ExceptionGroup', 0, undefined, undefined, true),
  ]
  assert.deepEqual(shape(list), [
    'ExceptionGroup thrown',
    '  ValueError member',
    '  KeyError cause',
    '  TypeError member',
  ])
  assert.equal(listExceptions(list)[0]?.isGroup, true)
})

test('what was being handled is no cause', () => {
  assert.deepEqual(shape([exception('A', 1, 0, '__context__'), exception('B', 0)]), ['B thrown', 'A context'])
})

test('circles, strangers and twins of numbers lose nothing', () => {
  const ids = fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined })
  const any = fc.array(fc.tuple(ids, ids), { maxLength: 8 })
  fc.assert(
    fc.property(any, (pairs) => {
      const list = pairs.map(([id, parent], index) => exception(`E${index}`, id, parent))
      const types = listExceptions(list).map((entry) => entry.exception.type ?? '')
      assert.deepEqual(types.toSorted(), list.map(({ type }) => type ?? '').toSorted())
    }),
  )
})

test('an exception without a type is called by what it says', () => {
  assert.equal(exceptionName({ type: 'TypeError', value: 'x' }), 'TypeError')
  assert.equal(exceptionName({ value: 'it broke\nbadly' }), 'it broke')
  assert.equal(exceptionName({ module: 'shop.cart' }), 'shop.cart')
  assert.equal(exceptionName({}), 'Exception')
})
