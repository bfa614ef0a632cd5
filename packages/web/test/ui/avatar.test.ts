/** Initials say who it is, and the colour stays with a person whatever they are called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Avatar, type Face, faceOf, hueOf } from '../../src/ui/avatar.tsx'

type Shown = { readonly props: { readonly children: string; readonly 'data-hue': number } }
const shown = (of: Face) => (Avatar({ of }) as Shown).props
const initials = (of: Face): string => shown(of).children

test('initials are those of the first and last name, of an address, or a sign for a team', () => {
  const user = (name: string): Face => ({ type: 'user', id: '1', name })
  assert.deepEqual(
    ['Ada Lovelace', 'ada king lovelace', 'ada@example.com', 'ada.l@example.com', '', '李小龍', '👩‍💻 Ada'].map(
      (name) => initials(user(name)),
    ),
    ['AL', 'AL', 'AD', 'AL', '?', '李小', '👩A'],
  )
  assert.equal(initials({ type: 'team', id: '1', name: '#checkout' }), '#')
  assert.equal(initials({ type: 'other', id: '', name: 'api token' }), '')
})

test('the colour is of the id: a new name keeps it, and the same id of a team and a person are two', () => {
  const hue = (id: string, name: string): number => shown({ type: 'user', id, name })['data-hue']
  assert.equal(hue('a1', 'Ada'), hue('a1', 'Countess'))
  const ids = Array.from({ length: 600 }, (_, at) => `person-${at}`)
  const counts = Map.groupBy(ids, (id) => hueOf({ type: 'user', id }))
  assert.deepEqual(
    [...counts.keys()].toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5, 6],
  )
  for (const [each, own] of counts) assert.ok(own.length > 60, `${each}: ${own.length} of 600`)
})

test('who is assigned is read from its text', () => {
  assert.deepEqual(faceOf('team:7', '#checkout'), { type: 'team', id: '7', name: '#checkout' })
  assert.deepEqual(faceOf('user:a-1', 'Ada'), { type: 'user', id: 'a-1', name: 'Ada' })
})
