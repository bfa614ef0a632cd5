import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUploadSearch } from '../../src/routes/[org]/[project]/source-maps/upload-search.ts'

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
