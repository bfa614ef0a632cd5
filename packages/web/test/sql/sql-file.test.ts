import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultAsCsv, resultAsJson } from '../../src/routes/[org]/sql/sql-file.ts'

const RESULT = {
  columns: [
    { name: 'name', type: 'String' },
    { name: 'n', type: 'Int64' },
    { name: 'n', type: 'Nullable(Map(String, String))' },
  ],
  rows: [
    ['a "quoted", text\nof two lines', '-5', null],
    ['=HYPERLINK("http://x")', 7, { k: 'v' }],
  ],
}

test('CSV quotes what it must, and no text is a formula', () => {
  assert.equal(
    resultAsCsv(RESULT),
    'name,n,n\r\n"a ""quoted"", text\nof two lines",-5,\r\n"\'=HYPERLINK(""http://x"")",7,"{""k"":""v""}"\r\n',
  )
})

test('JSON keeps columns of one name apart, and types', () => {
  assert.deepEqual(JSON.parse(resultAsJson(RESULT)), [
    { name: 'a "quoted", text\nof two lines', n: '-5', 'n 2': null },
    { name: '=HYPERLINK("http://x")', n: 7, 'n 2': { k: 'v' } },
  ])
})
