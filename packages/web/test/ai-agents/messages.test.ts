import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { messagesOf } from '../../src/routes/[org]/[project]/ai-agents/conversation/messages.ts'

test('messages are read with their roles, parts as text, and what was cut stays text', () => {
  const parts = [
    { type: 'text', content: 'b' },
    { type: 'text', text: 'c' },
  ]
  assert.deepEqual(
    messagesOf(
      JSON.stringify([
        { role: 'user', content: 'a' },
        { role: 'assistant', parts },
      ]),
    ),
    [
      { role: 'user', text: 'a' },
      { role: 'assistant', text: 'b\nc' },
    ],
  )
  assert.deepEqual(messagesOf('[{"role":"us'), [{ role: '', text: '[{"role":"us' }])
  assert.deepEqual(messagesOf('{"messages":[{"role":"user","content":"a"}]}'), [{ role: 'user', text: 'a' }])
  assert.deepEqual(messagesOf(''), [])
})

test('whatever an SDK writes, texts come out of it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      for (const { role, text: shown } of messagesOf(text)) {
        assert.equal(typeof role, 'string')
        assert.equal(typeof shown, 'string')
      }
    }),
  )
})
