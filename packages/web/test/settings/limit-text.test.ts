import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from '../../src/parts/forms/posted-fields.ts'
import { limitText, postedLimit } from '../../src/routes/[org]/[project]/settings/limit-text.ts'

test('a limit is told in words', () => {
  assert.equal(limitText({ count: 1, windowSec: 60 }), '1 event per minute')
  assert.equal(limitText({ count: 12_500, windowSec: 86_400 }), '12,500 events per day')
  assert.equal(limitText({ count: 0, windowSec: 7_200 }), '0 events per 7,200 s')
})

const posted = (count: string) => {
  const form = new FormData()
  form.set('count', count)
  form.set('windowSec', '60')
  return postedLimit(fieldsOf(form))
}

test('an empty field is no limit, and what is no number is left for the command to refuse', () => {
  assert.equal(posted('  '), null)
  assert.deepEqual(posted(' 0 '), { count: 0, windowSec: 60 })
  assert.deepEqual(posted('many'), { count: Number.NaN, windowSec: 60 })
})
