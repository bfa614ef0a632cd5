/** The servers that a Sonde on several machines shares: PostgreSQL, ClickHouse with two shards, three NATS servers, S3. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import { openTelemetry } from '@sonde/stores'
import { startClickHouse, TEST_CLUSTER, type TestServers } from '../servers/clickhouse.ts'
import { startDistributedDdl } from '../servers/distributed-ddl.ts'
import { type NatsServers, startNats } from '../servers/nats.ts'
import { createDatabase, testServer } from '../servers/postgres-databases.ts'
import type { PostgresServer } from '../servers/postgres.ts'
import { type S3Server, startS3 } from '../servers/s3.ts'

export type ClusterServers = {
  readonly postgres: PostgresServer
  readonly clickhouse: TestServers
  readonly nats: NatsServers
  readonly s3: S3Server
  /** What every start needs to use them, with a database, a bucket and a secret of their own. */
  readonly env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

const NATS_BYTES = 256 * 2 ** 20

export async function startClusterServers(): Promise<ClusterServers> {
  const [postgres, clickhouse, nats, s3] = await Promise.all([
    testServer(),
    startClickHouse({ shards: 2 }),
    startNats(3),
    startS3(),
  ])
  const dir = mkdtempSync(join(tmpdir(), 'sonde-cluster-'))
  const secretFile = join(dir, 'secret.key')
  writeFileSync(secretFile, randomBytes(48).toString('base64'), { mode: 0o600 })
  const database = await createDatabase()
  const place = await clickhouse.place('sonde')
  // These servers have no Keeper for ON CLUSTER: the tables are there before Sonde starts.
  await (await openTelemetry(place, { logger: silentLogger })).close()
  const ddl = await startDistributedDdl(clickhouse.shards.map(({ url }) => url))
  const bucket = s3.makeBucket()
  return {
    postgres,
    clickhouse,
    nats,
    s3,
    env: {
      SONDE_DATABASE_URL: database.url,
      SONDE_CLICKHOUSE_URL: ddl.url(place.url),
      SONDE_CLICKHOUSE_CLUSTER: TEST_CLUSTER,
      SONDE_NATS_URL: nats.url,
      SONDE_NATS_REPLICAS: '3',
      SONDE_NATS_MAX_BYTES: String(NATS_BYTES),
      SONDE_BLOBS_URL: bucket.place.url,
      SONDE_BLOBS_ACCESS_KEY: s3.keys.accessKey,
      SONDE_BLOBS_SECRET_KEY: s3.keys.secretKey,
      SONDE_SECRET_FILE: secretFile,
    },
    async stop() {
      await Promise.all([ddl.stop(), clickhouse.stop(), nats.stop(), s3.stop(), postgres.stop()])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
