/** A real server on a free port, writing into a real log in a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, createMetrics, inScope, type Scope, silentLogger, systemClock } from '@sonde/base'
import {
  decodeIntakeRecord,
  type DoorOutcome,
  type EnvelopeMeta,
  type LogWriter,
  openLogReader,
  openLogWriter,
} from '@sonde/log'
import type { KeyInfo } from '@sonde/stores/keys'
import { createIngest, HTTP_SERVER_OPTIONS, type Ingest, type IngestOptions } from '../../src/index.ts'
import { ALL_KEYS, keySource } from './keys.ts'

export type StoredEnvelope = { readonly meta: EnvelopeMeta; readonly body: Buffer }
export type Running = {
  readonly port: number
  readonly ingest: Ingest
  readonly metricsText: () => Promise<string>
  /** What a consumer of the log would get, in order. */
  envelopes(): Promise<StoredEnvelope[]>
  /** As `project/key category outcome:reason ×quantity`, sorted; flushes first. */
  outcomes(): Promise<string[]>
  close(): Promise<void>
}

export type StartOptions = Partial<Omit<IngestOptions, 'log' | 'clock'>> & {
  readonly clock?: Clock
  readonly wrapLog?: (log: LogWriter) => LogWriter
  /** In which every request is answered. */
  readonly scope?: Scope
  readonly knownKeys?: readonly (readonly [string, KeyInfo])[]
}

export async function startIngest(options: StartOptions = {}): Promise<Running> {
  const { wrapLog = (log) => log, scope = {}, knownKeys = ALL_KEYS, ...rest } = options
  const dir = await mkdtemp(join(tmpdir(), 'sonde-ingest-'))
  const writer = await openLogWriter({ dir, logger: silentLogger })
  const metrics = createMetrics()
  const ingest = createIngest({
    keys: keySource(knownKeys),
    clock: systemClock,
    logger: silentLogger,
    metrics,
    ...rest,
    log: wrapLog(writer),
  })
  const server = createServer(HTTP_SERVER_OPTIONS, (req, res) => {
    if (!inScope(scope, () => ingest.handle(req, res))) res.writeHead(418).end('not an ingest path')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const readAll = async (): Promise<ReturnType<typeof decodeIntakeRecord>[]> => {
    const { records } = writer.stats()
    const reader = await openLogReader({ dir, logger: silentLogger })
    const found: ReturnType<typeof decodeIntakeRecord>[] = []
    try {
      for (let from = 0; found.length < records;) {
        const batch = await reader.read(
          from,
          { maxRecords: 1_000, maxBytes: 1e9 },
          AbortSignal.timeout(20_000),
        )
        if (batch.length === 0) throw new Error(`only ${found.length} of ${records} records came back`)
        for (const record of batch) found.push(decodeIntakeRecord(record.bytes))
        from = batch.at(-1)?.next ?? from
      }
    } finally {
      await reader.close()
    }
    return found
  }
  return {
    port: (server.address() as AddressInfo).port,
    ingest,
    metricsText: () => metrics.text(),
    async envelopes() {
      const stored: StoredEnvelope[] = []
      for (const { meta, body } of await readAll())
        if (meta.kind === 'envelope') stored.push({ meta, body: Buffer.from(body) })
      return stored
    },
    async outcomes() {
      await ingest.flushOutcomes()
      const rows: DoorOutcome[] = []
      for (const { meta } of await readAll()) if (meta.kind === 'outcomes') rows.push(...meta.outcomes)
      return rows
        .map(
          (row) =>
            `${row.projectId}/${row.keyId} ${row.category} ${row.outcome}:${row.reason} ×${row.quantity}`,
        )
        .toSorted()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await ingest.stop()
      await writer.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
