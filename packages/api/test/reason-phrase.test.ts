import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phraseOf } from '../src/create-api.ts'

test('the words of an answer fit into a status line, whatever is in them', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ detail: 'no room' }, 'no room'],
    [{ projects: ['acme has no project "x"', 'more'] }, 'projects: acme has no project "x"'],
    [{ detail: 'a\r\nset-cookie: x=1' }, 'a set-cookie: x=1'],
    [{ detail: '  größer als 5 €\u0000 ' }, 'gr er als 5'],
    [{ detail: 'x'.repeat(5_000) }, 'x'.repeat(200)],
    [{ detail: { message: 'nested' } }, ''],
    [{}, ''],
    [null, ''],
    ['text', ''],
  ]
  for (const [body, phrase] of cases) assert.equal(phraseOf(body), phrase)
})
