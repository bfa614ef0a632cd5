/** `sonde upgrade --check` on servers: what it says of a later version's records, and of telemetry that lacks a column. */
import assert from 'node:assert/strict'
import pg from 'pg'
import type { TestServers } from '../harness/servers/clickhouse.ts'
import { sonde } from '../harness/start-sonde.ts'

type Plan = {
  readonly isReady: boolean
  readonly refusals: readonly string[]
  readonly stores: readonly {
    readonly engine: string
    readonly schema: string
    readonly steps: readonly string[]
  }[]
  readonly nats: string
}

/** `env`: of a Sonde on servers, which is stopped. It lacks the column afterwards. */
export async function checkUpgradeOfServers(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  clickhouse: TestServers,
): Promise<void> {
  const check = () => {
    const { code, stdout, stderr } = sonde(dataDir, ['upgrade', '--check', '--json'], env)
    assert.equal(stderr, '')
    return { code, ...(JSON.parse(stdout) as Plan) }
  }
  const records = new pg.Client({ connectionString: env['SONDE_DATABASE_URL'] })
  await records.connect()
  try {
    await records.query(`INSERT INTO schema_migration VALUES ('9999-later', 0)`)
    for (const { url } of clickhouse.shards)
      for (const table of ['tabs', 'tabs_local'])
        await tell(url, `ALTER TABLE sonde.${table} DROP COLUMN ${COLUMN}`)
    const later = check()
    assert.equal(later.code, 1)
    assert.equal(later.isReady, false)
    assert.match(
      later.refusals.join('\n'),
      /^a later version of Sonde wrote the records \(9999-later\): [^\n]*$/,
    )
    await records.query(`DELETE FROM schema_migration WHERE name = '9999-later'`)
  } finally {
    await records.end()
  }
  const { code, isReady, refusals, stores, nats } = check()
  assert.deepEqual([code, isReady, refusals], [0, true, []])
  assert.deepEqual(
    stores.map(({ steps }) => steps),
    [[], [`add tabs.${COLUMN}`]],
  )
  assert.match(stores[0]?.engine ?? '', /^PostgreSQL \d+/)
  assert.match(stores[1]?.engine ?? '', /^ClickHouse \d+\.\d+/)
  for (const { schema } of stores) assert.match(schema, /^0\d{3}-/)
  assert.match(nats, /^2\.\d+\.\d+$/)
}

const COLUMN = 'recovered'

async function tell(url: string, statement: string): Promise<void> {
  const answer = await fetch(new URL('/', url), { method: 'POST', body: statement })
  assert.equal(answer.status, 200, await answer.text())
}
