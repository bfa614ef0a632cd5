/** Brings the records in PostgreSQL up to date at start. Safe when several machines start at once and when cut anywhere. */
import { ConfigError, type Logger, SondeError } from '@sonde/base'
import pg from 'pg'
import { refuseLater } from '../../refuse-later.ts'
import { MIGRATIONS, type RecordsMigration } from '../migrations.ts'
import { connectionOf } from './pool.ts'
import { postgresError, shownUrl } from './postgres-errors.ts'
import { makeTextIndex } from './postgres-text-index.ts'
import { toPostgres } from './translate.ts'

const SETTING = 'SONDE_DATABASE_URL'
/** The oldest that its makers still mend. */
const OLDEST_VERSION = 14
/** "sonde" in ASCII: who holds this advisory lock migrates. */
const LOCK = 0x73_6f_6e_64_65
/** Another machine migrates; it takes seconds. */
const LOCK_TIMEOUT_MS = 120_000

export const postgresStatements = ({ statements, postgres }: RecordsMigration): readonly string[] =>
  postgres ?? statements.flatMap(toPostgres)

export type MigratedPostgres = { readonly version: string; readonly hasTextIndex: boolean }

/**
 * Over a connection of its own. Throws `SondeError`: `config` for what the operator must change, such as a server that is
 * too old or a schema of a later Sonde.
 */
export async function migratePostgres(
  url: string,
  logger: Logger,
  migrations: readonly RecordsMigration[] = MIGRATIONS,
): Promise<MigratedPostgres> {
  const client = new pg.Client(connectionOf(url))
  // Without a listener a connection that breaks would end the process; the statement under way fails too.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const version = await checkServer(client, url)
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query(`SELECT pg_advisory_lock(${LOCK})`)
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migration (name text COLLATE "C" NOT NULL PRIMARY KEY, applied_ms bigint NOT NULL)',
    )
    await applyMissing(client, url, logger, migrations)
    return { version, hasTextIndex: await makeTextIndex(client, logger) }
  } catch (error) {
    throw postgresError(error, url, 'migrate the records')
  } finally {
    // Frees the lock too.
    await client.end().catch(() => undefined)
  }
}

export type PostgresSteps = {
  readonly version: string
  readonly steps: readonly string[]
  /** About how many there are in each table, as the server's statistics say: of some it may know nothing. */
  readonly rows: ReadonlyMap<string, number>
}

/** Changes nothing. Throws `SondeError` as migrating does. */
export async function readPostgresSteps(url: string): Promise<PostgresSteps> {
  const client = new pg.Client(connectionOf(url))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const version = await checkServer(client, url)
    const { rows: tables } = await client.query<{ name: string | null }>(
      `SELECT to_regclass('schema_migration')::text AS name`,
    )
    if (!tables[0]?.name) return { version, steps: [], rows: new Map() }
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration')
    const counts = await client.query<{ name: string; rows: number }>(
      `SELECT relname AS name, reltuples::float8 AS rows FROM pg_class
       WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND reltuples > 0`,
    )
    return {
      version,
      steps: rows.map(({ name }) => name),
      rows: new Map(counts.rows.map((table) => [table.name, table.rows])),
    }
  } catch (error) {
    throw postgresError(error, url, 'look at the records')
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function checkServer(client: pg.Client, url: string): Promise<string> {
  const { rows } = await client.query<{
    version: string
    number: string
    encoding: string
    standby: number
  }>(`SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby`)
  const [server] = rows
  const where = shownUrl(url)
  if (!server) throw new ConfigError(SETTING, `${where} is no PostgreSQL`)
  if (Math.floor(Number(server.number) / 10_000) < OLDEST_VERSION)
    throw new ConfigError(
      SETTING,
      `${where} is PostgreSQL ${server.version}; Sonde needs ${OLDEST_VERSION} or newer`,
      `upgrade the server, or leave ${SETTING} unset: the records are then kept in SONDE_DATA_DIR`,
    )
  if (server.encoding !== 'UTF8')
    throw new ConfigError(
      SETTING,
      `${where} stores texts as ${server.encoding}; Sonde needs UTF8`,
      "make the database anew: CREATE DATABASE sonde OWNER sonde ENCODING 'UTF8' TEMPLATE template0",
    )
  if (server.standby === 1)
    throw new ConfigError(SETTING, `${where} is a standby, which only lets read`, 'point it at the primary')
  return server.version
}

async function applyMissing(
  client: pg.Client,
  url: string,
  logger: Logger,
  migrations: readonly RecordsMigration[],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration')
  const applied = rows.map(({ name }) => name)
  refuseLater('records', applied, migrations, { setting: SETTING, place: 'database' })
  for (const migration of migrations.filter(({ name }) => !applied.includes(name))) {
    try {
      await client.query('BEGIN')
      for (const statement of postgresStatements(migration)) await client.query(statement)
      await client.query('INSERT INTO schema_migration (name, applied_ms) VALUES ($1, $2)', [
        migration.name,
        Date.now(),
      ])
      await client.query('COMMIT')
    } catch (cause) {
      await client.query('ROLLBACK').catch(() => undefined)
      const known = postgresError(cause, url, 'migrate the records')
      if (known instanceof SondeError) throw known
      throw new SondeError('internal', `migrate the records: ${(cause as Error).message}`, {
        operation: 'migrate the records',
        subject: migration.name,
        cause,
        hint: 'nothing was changed by this step; report this message',
      })
    }
    if (applied.length > 0) logger.info({ migration: migration.name }, 'records schema changed')
  }
  if (applied.length === 0) logger.info({ steps: migrations.length }, 'records schema made')
}
