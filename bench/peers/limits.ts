/** What nobody can be faster than here: an HTTP server that throws bodies away, and rows that nobody sent. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { startClickHouse } from '../../tests/harness/servers/clickhouse.ts'
import type { Listening } from '../accept/report-listening.ts'
import { startGenerator } from '../load/start-generator.ts'
import { eventId, ID_PLACE, idPrefix } from '../load/template.ts'
import { usageOf } from '../machine/process-tree.ts'
import { pythonLikeEnvelopes } from '../payloads/python-like.ts'
import type { Findings } from './findings.ts'
import { accepted, CONNECTIONS, CPU_TIME, FLOOD_MS, persisted } from './metrics.ts'
import { PAYLOADS } from './payloads.ts'

const BARE = 'bare node:http'
const INSERTS = '@clickhouse/client'
const ROWS_AN_INSERT = 1_000
const PLAIN = PAYLOADS.filter(({ gzip, kinds }) => !gzip && kinds === 1)

export async function measureBareHttp(findings: Findings): Promise<void> {
  const child = fork(join(import.meta.dirname, '..', 'accept', 'bare-server.ts'), [], { execArgv: [] })
  const generator = startGenerator()
  try {
    const [{ port }] = (await once(child, 'message')) as [Listening]
    const target = { host: '127.0.0.1', port, path: '/api/1/envelope/', publicKey: 'none' }
    for (const payload of PLAIN) {
      const { name, bytes } = payload
      await generator.load(name, pythonLikeEnvelopes({ bytes }), target)
      const before = usageOf('node', child.pid ?? 0).cpuMs
      const sent = await generator.run({
        target,
        payloads: name,
        connections: CONNECTIONS,
        durationMs: FLOOD_MS,
        ratePerSec: undefined,
        idPrefix: idPrefix(),
        firstCounter: 0,
      })
      const cpuMs = usageOf('node', child.pid ?? 0).cpuMs - before
      findings.add(BARE, accepted(payload), (sent.ok / sent.tookMs) * 1000)
      if (payload === PLAIN[0]) findings.add(BARE, CPU_TIME, (cpuMs / sent.ok) * 10)
    }
  } finally {
    generator.stop()
    child.disconnect()
  }
}

/** Rows of id, time, kind and text, a thousand an insert, each flushed to the disk before the next is made. */
export async function measureInserts(findings: Findings): Promise<void> {
  const servers = await startClickHouse()
  try {
    const { url } = await servers.place('bench')
    const client = createClient({ url })
    await client.command({
      query: `CREATE TABLE event (event_id FixedString(32), timestamp DateTime64(3), kind LowCardinality(String), payload String CODEC(ZSTD(3)))
              ENGINE = MergeTree ORDER BY (kind, timestamp) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
    })
    const server = servers.shards[0]?.process()?.pid ?? 0
    for (const payload of PLAIN) {
      const { bytes } = payload
      const payloads = pythonLikeEnvelopes({ bytes }).map((envelope) => envelope.split('\n')[2] ?? '')
      const prefix = idPrefix()
      const before = { cpu: process.cpuUsage(), server: usageOf('server', server).cpuMs }
      const startMs = performance.now()
      let rows = 0
      while (performance.now() - startMs < FLOOD_MS) {
        const values = Array.from({ length: ROWS_AN_INSERT }, (_, at) => {
          const id = eventId(prefix, rows + at)
          const text = (payloads[at % payloads.length] ?? '').replaceAll(ID_PLACE, id)
          return {
            event_id: id,
            timestamp: Date.now(),
            kind: `BenchError${at % payloads.length}`,
            payload: text,
          }
        })
        await client.insert({ table: 'event', values, format: 'JSONEachRow' })
        rows += ROWS_AN_INSERT
      }
      const tookMs = performance.now() - startMs
      const { user, system } = process.cpuUsage(before.cpu)
      const cpuMs = (user + system) / 1000 + usageOf('server', server).cpuMs - before.server
      findings.add(INSERTS, persisted(payload), (rows / tookMs) * 1000)
      if (payload === PLAIN[0]) findings.add(INSERTS, CPU_TIME, (cpuMs / rows) * 10)
    }
    await client.close()
  } finally {
    // Node does not wait for servers that tests forget.
    const alive = setInterval(() => undefined, 1_000)
    await servers.stop()
    clearInterval(alive)
  }
}
