import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyNames, SHORTCUT_TEXTS } from '../../src/shell/palette/shortcut-help.tsx'
import { isPress, type KeyPress, SHORTCUTS } from '../../src/shell/shortcuts.ts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

test('a letter is pressed alone, in either case of the caps lock', () => {
  assert.ok(isPress(press('j'), 'j'))
  assert.ok(isPress(press('J'), 'j'))
  for (const held of ['shiftKey', 'ctrlKey', 'metaKey', 'altKey'])
    assert.ok(!isPress(press('j', { [held]: true }), 'j'), held)
  assert.ok(isPress(press('X', { shiftKey: true }), 'Shift+x'))
  assert.ok(!isPress(press('x'), 'Shift+x'))
})

test('Mod is Ctrl or ⌘, not both', () => {
  assert.ok(isPress(press('k', { ctrlKey: true }), 'Mod+k'))
  assert.ok(isPress(press('k', { metaKey: true }), 'Mod+k'))
  assert.ok(!isPress(press('k'), 'Mod+k'))
  assert.ok(!isPress(press('k', { ctrlKey: true, metaKey: true }), 'Mod+k'))
})

test('a sign is matched by what it types, whatever has to be held for it', () => {
  assert.ok(isPress(press('?', { shiftKey: true }), '?'))
  assert.ok(isPress(press('/', { shiftKey: true }), '/'))
  // AltGr is Ctrl and Alt on Windows.
  assert.ok(isPress(press('[', { ctrlKey: true, altKey: true }), '['))
  assert.ok(!isPress(press('[', { ctrlKey: true }), '['))
})

test('keys are named as the keyboard in front of the reader names them', () => {
  assert.deepEqual(keyNames('Mod+k', true), ['⌘', 'K'])
  assert.deepEqual(keyNames('Mod+k', false), ['Ctrl', 'K'])
  assert.deepEqual(keyNames('Enter', false), ['Enter'])
})

test('no key does two things on one screen', () => {
  const rows = SHORTCUTS.map(({ id, keys }) => ({ keys, group: SHORTCUT_TEXTS[id].group }))
  const taken = new Set<string>()
  for (const group of new Set(rows.map((row) => row.group))) {
    const here = rows.filter((row) => row.group === group || row.group === 'Everywhere')
    const keys = here.flatMap((row): readonly string[] => row.keys)
    if (keys.length !== new Set(keys).size) taken.add(group)
  }
  assert.deepEqual([...taken], [])
})
