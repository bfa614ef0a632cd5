/** What goes over the wire to a ClickHouse server; the engine itself is tested embedded. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { CONSOLE_TOOK_TOO_LONG, ConsoleError } from '../../src/telemetry/console.ts'
import { SAMPLE } from '../../src/telemetry/conformance.ts'
import { encodeIndexRow, ROW_COLUMNS, withIssueId } from '../../src/telemetry/rows.ts'
import { openServer } from '../../src/telemetry/server/open-server.ts'

test('rows go to a server as tab-separated lines of named columns, whether they are texts or bytes', async () => {
  const seen: { query: string; token: string | null; body: string }[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://server')
    void text(request).then((body) => {
      const token = searchParams.get('insert_deduplication_token')
      seen.push({ query: searchParams.get('query') ?? '', token, body })
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const telemetry = openServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/default`)
  const row = encodeIndexRow({ ...SAMPLE, timestampMs: 5, receivedMs: 1_790_000_000_123 })
  const bytes = new Uint8Array(Buffer.from(row))
  await telemetry.insert('event_index', [withIssueId(row, 0), withIssueId(bytes, 2 ** 53 - 1)], 'batch')
  await telemetry.close()
  server.close()
  const rest = `1\t${SAMPLE.eventId}\t0000000000.005\t1790000000.123\t${SAMPLE.logPosition}\t3\t0\n`
  assert.deepEqual(seen, [
    {
      query: `INSERT INTO event_index (${ROW_COLUMNS.event_index.join(', ')}) FORMAT TabSeparated`,
      token: 'batch',
      body: `0\t${rest}9007199254740991\t${rest}`,
    },
  ])
})

test('a statement of the console reaches a server read-only, with its limits, in the database it is for', async () => {
  const seen: { query: string; settings: Record<string, string> }[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://server')
    void text(request).then((query) => {
      seen.push({ query, settings: Object.fromEntries(searchParams) })
      if (query.startsWith('SELECT sleep')) return
      if (query.startsWith('SELECT nope')) {
        response.writeHead(404, { 'x-clickhouse-exception-code': '47' })
        response.end('Code: 47. DB::Exception: Unknown expression identifier `nope`. (UNKNOWN_IDENTIFIER)')
        return
      }
      // Rows of the account's own queries; of the console's, below.
      if (/FORMAT JSONEachRow/.test(query)) {
        response.end(query.includes('system.databases') ? '{"name":"console_6"}\n' : '{"home":"sonde"}\n')
        return
      }
      const meta = [{ name: 'n', type: 'UInt64' }]
      const statistics = { elapsed: 0.002, rows_read: 5, bytes_read: 40 }
      response.end(JSON.stringify({ meta, data: [['1']], rows: 1, statistics }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const telemetry = openServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/default`)
  const database = {
    name: 'console_7',
    prefix: 'console_',
    views: [
      { name: 'small', select: (home: string) => `SELECT {n:UInt8} AS n FROM ${home}.t`, params: { n: 7 } },
    ],
  }
  const answer = await telemetry.console.use(database, ({ run }) => run('SELECT 1 AS n'))
  assert.deepEqual(answer, {
    columns: [{ name: 'n', type: 'UInt64' }],
    rows: [['1']],
    isCut: false,
    rowsRead: 5,
    bytesRead: 40,
    elapsedMs: 2,
  })
  await assert.rejects(
    telemetry.console.use(database, ({ run }) => run('SELECT nope')),
    (error) => error instanceof ConsoleError && error.code === 47,
  )
  // No answer comes, however long one waits.
  await assert.rejects(
    telemetry.console.use(database, ({ run }) => run('SELECT sleep')),
    (error) => error instanceof ConsoleError && error.code === CONSOLE_TOOK_TOO_LONG,
  )
  await telemetry.close()
  server.close()
  const made = seen.map(({ query }) => query.trim()).filter((query) => /^(?:CREATE|DROP)/.test(query))
  assert.deepEqual(made.slice(0, 3), [
    'CREATE DATABASE IF NOT EXISTS console_7 ENGINE = Memory',
    "CREATE VIEW IF NOT EXISTS console_7.small AS SELECT CAST('7', 'UInt8') AS n FROM sonde.t",
    'DROP DATABASE IF EXISTS console_6',
  ])
  const first = seen.find(({ query }) => query.startsWith('SELECT 1 AS n'))
  assert.equal(first?.query.trim(), 'SELECT 1 AS n \nFORMAT JSONCompact')
  const settings: Record<string, string> = first?.settings ?? {}
  assert.deepEqual(
    [settings['database'], settings['readonly'], settings['max_execution_time'], settings['limit']],
    ['console_7', '1', '10', '1001'],
  )
})
