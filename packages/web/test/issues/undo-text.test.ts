import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_UNDO_CHARS, readUndo, writeUndo } from '../../src/issues/undo-text.ts'

const state = (id: number, status: string, substatus: string) => ({ id, status, substatus })

test('every issue goes back to the state it had; those that did not change are left out', () => {
  const before = [
    state(1, 'unresolved', 'new'),
    state(2, 'unresolved', 'regressed'),
    state(3, 'resolved', ''),
    state(4, 'unresolved', 'new'),
    state(5, 'ignored', 'archived_forever'),
  ]
  const text = writeUndo('resolved', before) ?? ''
  assert.deepEqual(readUndo(text), {
    from: 'resolved',
    groups: [
      { status: 'unresolved', substatus: 'new', ids: [1, 4] },
      { status: 'unresolved', substatus: 'regressed', ids: [2] },
      { status: 'ignored', substatus: 'archived_forever', ids: [5] },
    ],
  })
})

test('there is nothing to take back when nothing changed, or when it were too much to carry', () => {
  assert.equal(writeUndo('resolved', [state(1, 'resolved', '')]), undefined)
  const far = Array.from({ length: MAX_UNDO_CHARS }, (_, index) => state(index * 2 + 1, 'unresolved', 'new'))
  assert.equal(writeUndo('resolved', far), undefined)
})

test('other text is refused', () => {
  for (const text of [
    '',
    'resolved',
    'resolved<',
    'gone<unresolved/new:1',
    'resolved<gone/new:1',
    'resolved<unresolved/new:',
    'resolved<unresolved/NEW:1',
    'resolved<unresolved/new:1;',
    'resolved<unresolved/new:0',
  ])
    assert.equal(readUndo(text), undefined, text)
})
