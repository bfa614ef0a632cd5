/** What insight pages group by, of spans by `@sentry/node` as it comes from npm, against the built Sonde. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Harness, openHarness } from './support/harness.ts'
import { runProgram } from './support/run-program.ts'

let harness: Harness

before(async () => {
  harness = await openHarness('node')
  const program = join(import.meta.dirname, 'node', 'insights.ts')
  const run = await runProgram(process.execPath, [program], harness.project.dsn)
  assert.equal(run.code, 0, run.stderr)
})
after(() => harness?.close())

type Row = Readonly<Record<string, string | number | null>>

async function groups(query: string, fields: readonly string[]): Promise<readonly Row[]> {
  const search = new URLSearchParams([
    ['dataset', 'spans'],
    ['query', query],
    ...fields.map((field) => ['field', field]),
    ['field', 'count()'],
  ] as [string, string][])
  const { data } = await harness.api.until<{ readonly data: readonly Row[] }>(
    `/api/0/organizations/${harness.project.org}/events/?${search.toString()}`,
    ({ data: rows }) => rows.reduce((sum, row) => sum + Number(row['count()']), 0) === 4,
  )
  return data
}

test('four queries that differ in values are one', async () => {
  assert.deepEqual(await groups('op:db', ['normalized_name', 'span.peer']), [
    {
      normalized_name: 'SELECT * FROM cart WHERE id = ? AND owner = ?',
      'span.peer': 'postgresql',
      'count()': 4,
    },
  ])
})

test('what the SDK traces of fetch is one endpoint of its host, with status codes', async () => {
  const rows = await groups('op:http.client', ['span.peer', 'span.result'])
  assert.deepEqual(
    rows.map((row) => [row['span.peer'], row['span.result'], row['count()']]),
    [
      ['127.0.0.1', '200', 3],
      ['127.0.0.1', '503', 1],
    ],
  )
  const [endpoint, ...others] = await groups('op:http.client', ['normalized_name'])
  assert.deepEqual(others, [])
  assert.match(String(endpoint?.['normalized_name']), /^GET http:\/\/127\.0\.0\.1:\d+\/v1\/charges\/\*$/)
})

test('lookups of a cache are of one key, hits and misses, and messages of one queue', async () => {
  const rows = await groups('op:cache.get', ['normalized_name', 'span.result'])
  assert.deepEqual(
    Object.fromEntries(
      rows.map((row) => [`${row['normalized_name']} ${row['span.result']}`, row['count()']]),
    ),
    { 'cart:* hit': 2, 'cart:* miss': 2 },
  )
  assert.deepEqual(await groups('op:queue.publish', ['normalized_name', 'span.peer']), [
    { normalized_name: 'orders', 'span.peer': 'kafka', 'count()': 4 },
  ])
})
