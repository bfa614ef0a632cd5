/** Takes a cluster back to what it was: so files of tests use one after the other, and the nodes go on running. */
import pg from 'pg'
import type { ClusterServers } from './cluster-servers.ts'

/** Where the nodes are: positions of the log, leases, who runs. Emptied, they would repeat or lose what they do. */
const OF_THE_NODES: ReadonlySet<string> = new Set([
  'schema_migration',
  'pipeline_state',
  'digest_settings',
  'job_lease',
  'node',
])
/** Nodes read again what is behind them when they change. */
const isEpoch = (table: string): boolean => table.endsWith('_epoch')

type Kept = { readonly table: string; readonly rows: readonly Record<string, unknown>[] }

export type EmptyCluster = {
  /** Records as they were at the beginning, with ids that nothing had yet, and no telemetry. */
  restore(): Promise<void>
  close(): Promise<void>
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const DEADLOCK = '40P01'
const MOST_DEADLOCKS = 10

/** What the records hold now is what they are taken back to. */
export async function rememberCluster({ env, clickhouse }: ClusterServers): Promise<EmptyCluster> {
  const client = new pg.Client({ connectionString: env['SONDE_DATABASE_URL'] })
  // A test may stop the server.
  client.on('error', () => undefined)
  await client.connect()
  const tables = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const names = tables.rows.map(({ name }) => name).filter((name) => !OF_THE_NODES.has(name))
  const emptied = names.filter((name) => !isEpoch(name))
  const kept: Kept[] = []
  for (const table of emptied)
    kept.push({ table, rows: (await client.query<Record<string, unknown>>(`SELECT * FROM "${table}"`)).rows })

  /** Jobs of the nodes go on, and may hold one table while they wait for another: PostgreSQL ends one of the two then. */
  const restoreRecords = async (): Promise<void> => {
    for (let left = MOST_DEADLOCKS; ; left--)
      try {
        return await restoreOnce()
      } catch (error) {
        await client.query('ROLLBACK')
        if (left === 0 || (error as { code?: string }).code !== DEADLOCK) throw error
      }
  }
  const restoreOnce = async (): Promise<void> => {
    await client.query('BEGIN')
    // Neither the order of the tables nor what their triggers count is in the way.
    await client.query(`SET LOCAL session_replication_role = 'replica'`)
    await client.query(`TRUNCATE ${emptied.map((name) => `"${name}"`).join(', ')}`)
    for (const { table, rows } of kept)
      for (const row of rows) {
        const columns = Object.keys(row)
        const places = columns.map((_, at) => `$${at + 1}`).join(', ')
        const into = `"${table}" (${columns.map((column) => `"${column}"`).join(', ')})`
        await client.query(
          `INSERT INTO ${into} OVERRIDING SYSTEM VALUE VALUES (${places})`,
          Object.values(row),
        )
      }
    for (const table of names.filter(isEpoch)) await client.query(`UPDATE "${table}" SET value = value + 1`)
    await client.query('COMMIT')
  }
  const emptyTelemetry = async (): Promise<void> => {
    const database = new URL(env['SONDE_CLICKHOUSE_URL'] ?? '').pathname.slice(1)
    for (const { url } of clickhouse.shards) {
      const answer = await ask(
        url,
        `SELECT name FROM system.tables WHERE database = '${database}' AND name LIKE '%\\_local'`,
      )
      for (const table of answer.split('\n').filter((name) => name !== ''))
        await ask(url, `TRUNCATE TABLE ${database}.${table}`)
    }
  }
  return {
    async restore() {
      await restoreRecords()
      await emptyTelemetry()
    },
    close: () => client.end(),
  }
}

async function ask(url: string, statement: string): Promise<string> {
  const answer = await fetch(new URL('/', url), { method: 'POST', body: statement })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
