/** Makes a backup of servers by the commands of docs/operate/backup.md, and restores it into empty ones. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { TEST_CLUSTER, type TestServers } from '../harness/servers/clickhouse.ts'
import { startDistributedDdl } from '../harness/servers/distributed-ddl.ts'
import { startNats } from '../harness/servers/nats.ts'
import { createDatabase } from '../harness/servers/postgres-databases.ts'
import type { S3Server } from '../harness/servers/s3.ts'
import {
  commandsBelow,
  missingPrograms,
  recordsHashes,
  runCommands,
  telemetryHashes,
} from './documented-commands.ts'

type Servers = { readonly clickhouse: TestServers; readonly s3: S3Server }
type Restored = { readonly env: NodeJS.ProcessEnv; stop(): Promise<void> }

/**
 * `env`: of the Sonde on those servers, which is stopped; returned is that of one on what was restored. ClickHouse's database is
 * dropped in between. What a program that is missing would copy stays where it is.
 */
export async function backedUpAndRestored(
  { clickhouse, s3 }: Servers,
  env: NodeJS.ProcessEnv,
  context: TestContext,
): Promise<Restored> {
  const to = mkdtempSync(join(tmpdir(), 'sonde-backup-'))
  const origins = clickhouse.shards.map(({ url }) => new URL('/', url).href)
  const ddl = await startDistributedDdl(origins)
  const missing = missingPrograms()
  if (missing.length > 0) context.diagnostic(`not run, for there is no ${missing.join(' and no ')}`)
  const shell = {
    HOME: to,
    TO: to,
    CLICKHOUSE: ddl.url(origins[0] ?? ''),
    CLUSTER: TEST_CLUSTER,
    DAY: '2026-11-27',
    RCLONE_CONFIG: join(to, 'rclone.conf'),
    RCLONE_CONFIG_BLOBS_TYPE: 's3',
    RCLONE_CONFIG_BLOBS_PROVIDER: 'Other',
    RCLONE_CONFIG_BLOBS_ENDPOINT: s3.endpoint,
    RCLONE_CONFIG_BLOBS_ACCESS_KEY_ID: s3.keys.accessKey,
    RCLONE_CONFIG_BLOBS_SECRET_ACCESS_KEY: s3.keys.secretKey,
  }
  const [nats, database] = await Promise.all([startNats(), createDatabase()])
  const stop = async (): Promise<void> => {
    await Promise.all([nats.stop(), database.drop(), ddl.stop()])
    rmSync(to, { recursive: true, force: true })
  }
  try {
    const telemetry = () => Promise.all(origins.map((origin) => telemetryHashes(origin, 'sonde')))
    const before = [await recordsHashes(env['SONDE_DATABASE_URL'] ?? ''), await telemetry()]
    runCommands(commandsBelow('Making one of servers', missing), {
      ...shell,
      ...env,
      BUCKET: bucketOf(env['SONDE_BLOBS_URL'] ?? ''),
    })
    for (const origin of origins) {
      const dropped = await fetch(origin, { method: 'POST', body: 'DROP DATABASE sonde SYNC' })
      assert.equal(dropped.status, 200, await dropped.text())
    }
    const restored = {
      ...env,
      SONDE_DATABASE_URL: database.url,
      // A start may change its tables.
      SONDE_CLICKHOUSE_URL: ddl.url(env['SONDE_CLICKHOUSE_URL'] ?? ''),
      ...(!missing.includes('nats') && { SONDE_NATS_URL: nats.url }),
      ...(!missing.includes('rclone') && { SONDE_BLOBS_URL: s3.makeBucket('prod').place.url }),
    }
    runCommands(commandsBelow('Restoring one of servers', missing), {
      ...shell,
      ...restored,
      BUCKET: bucketOf(restored.SONDE_BLOBS_URL ?? ''),
    })
    assert.deepEqual([await recordsHashes(database.url), await telemetry()], before)
    return { env: restored, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Of `s3://bucket/prefix?…`, as rclone takes it. */
const bucketOf = (url: string): string => `blobs:${/^s3:\/\/([^?]+)/.exec(url)?.[1] ?? ''}`
