/** Servers that cannot be used, and one that comes late. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { silentLogger, SondeError, systemClock } from '@sonde/base'
import {
  READER,
  startClickHouse,
  TEST_CLUSTER,
  type TestServers,
  whyNoClickHouse,
} from '../../../../tests/harness/servers/clickhouse.ts'
import { applyMigrations } from '../../src/telemetry/migrate.ts'
import { openTelemetry, type TelemetryPlace } from '../../src/telemetry/open-telemetry.ts'
import { checkVersion, OLDEST_CLICKHOUSE } from '../../src/telemetry/server/await-server.ts'

const refusedWith = (message: RegExp, hint: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SondeError, inspect(error))
  assert.equal(error.kind, 'config')
  assert.match(error.message, message)
  assert.match(error.hint ?? '', hint)
  return true
}

test('a version before the one that is tested is refused with both numbers, later ones are not', () => {
  for (const version of ['26.6.9.1', '25.12.1.1', '9.9'])
    assert.throws(
      () => checkVersion(version),
      refusedWith(new RegExp(`has version ${version}; Sonde is tested with ${OLDEST_CLICKHOUSE}`), /Upgrade/),
    )
  for (const version of [`${OLDEST_CLICKHOUSE}.1.1`, '26.12.1.1', '27.1.1.1']) checkVersion(version)
})

describe('a ClickHouse server', { skip: whyNoClickHouse() ?? false }, () => {
  let servers: TestServers
  let databases = 0
  const open = (place: TelemetryPlace, waitMs = 0) => openTelemetry(place, { logger: silentLogger, waitMs })
  const fresh = (isCluster = false) => servers.place(`refused_${++databases}`, { isCluster })
  before(async () => {
    servers = await startClickHouse()
  })
  after(() => servers?.stop())

  const as = (url: string, name: string, password: string): string => {
    const changed = new URL(url)
    changed.username = name
    changed.password = password
    return changed.href
  }

  test('the version that is tested is the one that is named', async () => {
    const telemetry = await open(await fresh())
    const { version = '' } = (await telemetry.describe?.()) ?? {}
    assert.equal(version.split('.').slice(0, 2).join('.'), OLDEST_CLICKHOUSE)
    await telemetry.close()
  })

  test('a wrong password is refused with the name of the user, and is in no error', async () => {
    const { url } = await fresh()
    await assert.rejects(open({ url: as(url, READER.name, 'wrong-password') }), (error) => {
      assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /wrong-password/)
      return refusedWith(
        /SONDE_CLICKHOUSE_URL: .*does not let the user "reader" in/,
        /percent-encoded/,
      )(error)
    })
  })

  test('missing rights are refused with the statement that gives them', async () => {
    const { url } = await fresh()
    await assert.rejects(
      open({ url: as(url, READER.name, READER.password) }),
      refusedWith(
        /"reader" lacks rights: INSERT, ALTER, CREATE TABLE, DROP TABLE on refused_\d+\.\*; /,
        /GRANT INSERT, ALTER, CREATE TABLE, DROP TABLE ON refused_\d+\.\* TO reader;/,
      ),
    )
  })

  test('a database that is not there is refused with the statement that makes it', async () => {
    await assert.rejects(
      open({ url: new URL('/nowhere', servers.url).href }),
      refusedWith(/has no database "nowhere"/, /CREATE DATABASE nowhere/),
    )
  })

  test('a cluster that the server does not know is refused with those that it knows', async () => {
    await assert.rejects(
      open({ ...(await fresh()), cluster: 'production' }),
      refusedWith(/SONDE_CLICKHOUSE_CLUSTER: .*knows no cluster "production"/, new RegExp(TEST_CLUSTER)),
    )
  })

  test('tables of one server are not taken for those of a cluster, nor the other way', async () => {
    const single = await fresh()
    await (await open(single)).close()
    await assert.rejects(
      open({ ...single, cluster: TEST_CLUSTER }),
      refusedWith(/has tables of a single server/, /empty database/),
    )
    const cluster = await fresh(true)
    await (await open(cluster)).close()
    await assert.rejects(
      open({ url: cluster.url }),
      refusedWith(
        new RegExp(`has tables of the cluster "${TEST_CLUSTER}"`),
        new RegExp(`Set it to ${TEST_CLUSTER}`),
      ),
    )
  })

  test('a schema of a later version is refused, of one server and of a cluster', async () => {
    for (const isCluster of [false, true]) {
      const place = await fresh(isCluster)
      const telemetry = await open(place)
      await applyMigrations(telemetry, { clock: systemClock, logger: silentLogger }, [
        { name: '9999-later', statements: [] },
      ])
      await telemetry.close()
      await assert.rejects(
        open(place),
        refusedWith(/SONDE_CLICKHOUSE_URL: a later version .* has the step 9999-later/, /Start that version/),
      )
    }
  })

  test('a server that comes up late is waited for', async () => {
    const [shard] = servers.shards
    const place = await fresh()
    await shard?.stop()
    const said: unknown[] = []
    const logger = { ...silentLogger, warn: (...args: unknown[]) => void said.push(args) }
    const opening = openTelemetry(place, { logger, waitMs: 60_000 })
    await shard?.start()
    await (await opening).close()
    assert.match(inspect(said), /waiting for the ClickHouse server/)
  })
})
