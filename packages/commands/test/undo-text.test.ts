import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_UNDO_CHARS, readUndo, writeUndo } from '../src/issues/undo-text.ts'

const AT_ONCE = { resolvedIn: '', resolvedRelease: '' } as const
const state = (id: number, status: string, substatus: string) => ({ id, status, substatus, ...AT_ONCE })

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
      { status: 'unresolved', substatus: 'new', ...AT_ONCE, ids: [1, 4] },
      { status: 'unresolved', substatus: 'regressed', ...AT_ONCE, ids: [2] },
      { status: 'ignored', substatus: 'archived_forever', ...AT_ONCE, ids: [5] },
    ],
  })
})

test('the release that an issue was resolved in comes back too, whatever its name holds', () => {
  const resolvedRelease = "shop@1.0;<a>:'ä'-(x)"
  const before = [{ ...state(7, 'resolved', ''), resolvedIn: 'next_release' as const, resolvedRelease }]
  assert.deepEqual(readUndo(writeUndo('unresolved', before) ?? '')?.groups, [
    { status: 'resolved', substatus: '', resolvedIn: 'next_release', resolvedRelease, ids: [7] },
  ])
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
    'unresolved<resolved//gone/1.0:7',
    'unresolved<resolved//release/:7',
    'unresolved<resolved//release/%E0%A4%A:7',
  ])
    assert.equal(readUndo(text), undefined, text)
})
