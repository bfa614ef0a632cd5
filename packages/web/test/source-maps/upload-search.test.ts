import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUploadSearch } from '../../src/routes/[org]/[project]/source-maps/upload-search.ts'
import { usedText } from '../../src/routes/[org]/[project]/source-maps/used-text.ts'

const read = (query: string) => readUploadSearch(new URLSearchParams(query))

test('an address that says nothing, or nonsense, shows all uploads of seven days', () => {
  const all = { upload: undefined, file: '', q: '', cursor: '', period: '7d' }
  assert.deepEqual(read(''), all)
  assert.deepEqual(read('upload=-1&statsPeriod=9y'), all)
  assert.deepEqual(read('upload=12&file=%20app.js&q=a&cursor=0:50:0&statsPeriod=30d'), {
    upload: 12,
    file: 'app.js',
    q: 'a',
    cursor: '0:50:0',
    period: '30d',
  })
})

test('use is told by the day that it is noted by', () => {
  const nowMs = Date.UTC(2026, 0, 31, 0, 30)
  assert.equal(usedText(undefined, nowMs), 'never')
  assert.equal(usedText(Date.UTC(2026, 0, 31), nowMs), 'today')
  assert.equal(usedText(Date.UTC(2026, 0, 30), nowMs), 'yesterday')
  assert.equal(usedText(Date.UTC(2026, 0, 1), nowMs), '30 days ago')
})
