/** What goes over the wire to a ClickHouse server; the engine itself is tested embedded. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
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
  const rest = `1\t${SAMPLE.eventId}\t0000000000.005\t1790000000.123\t${SAMPLE.logPosition}\t3\n`
  assert.deepEqual(seen, [
    {
      query: `INSERT INTO event_index (${ROW_COLUMNS.event_index.join(', ')}) FORMAT TabSeparated`,
      token: 'batch',
      body: `0\t${rest}9007199254740991\t${rest}`,
    },
  ])
})
