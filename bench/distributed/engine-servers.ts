/** The four engines as servers of this machine, and what the starts of a Sonde have to be told about them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickHouse } from '../../tests/harness/servers/clickhouse.ts'
import { startNats } from '../../tests/harness/servers/nats.ts'
import { startPostgres } from '../../tests/harness/servers/postgres.ts'
import { startS3 } from '../../tests/harness/servers/s3.ts'

export type EngineServers = {
  readonly env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

/** By the command of the process that each server is. */
export const ENGINES: readonly { readonly name: string; readonly command: RegExp }[] = [
  { name: 'PostgreSQL', command: /\/postgres / },
  { name: 'NATS', command: /nats-server/ },
  { name: 'ClickHouse', command: /clickhouse-server\.py/ },
  { name: 'S3', command: /nanio/ },
]

export async function startEngineServers(partitions: number): Promise<EngineServers> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-bench-'))
  const secret = join(dir, 'secret')
  writeFileSync(secret, 'a key of the bench, which keeps nothing that matters', { mode: 0o600 })
  const [postgres, nats, clickhouse, s3] = await Promise.all([
    startPostgres(),
    startNats(),
    startClickHouse(),
    startS3(),
  ])
  const { place } = s3.makeBucket()
  return {
    env: {
      SONDE_DATABASE_URL: postgres.url,
      SONDE_NATS_URL: nats.url,
      // More than a run sends; NATS reserves it.
      SONDE_NATS_MAX_BYTES: String(512 * 2 ** 20),
      SONDE_LOG_PARTITIONS: String(partitions),
      SONDE_CLICKHOUSE_URL: (await clickhouse.place('sonde')).url,
      SONDE_BLOBS_URL: place.url,
      SONDE_BLOBS_ACCESS_KEY: s3.keys.accessKey,
      SONDE_BLOBS_SECRET_KEY: s3.keys.secretKey,
      SONDE_SECRET_FILE: secret,
    },
    async stop() {
      // Node does not wait for servers that tests forget.
      const alive = setInterval(() => undefined, 1_000)
      await Promise.all([postgres.stop(), nats.stop(), clickhouse.stop(), s3.stop()])
      clearInterval(alive)
      rmSync(dir, { recursive: true })
    },
  }
}
