/** Connections to PostgreSQL, and what is different from SQLite in what goes through them. */
import type { Logger } from '@sonde/base'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isBroken, postgresError } from './postgres-errors.ts'

// A statement of ours takes milliseconds; one that runs this long holds others up.
const STATEMENT_TIMEOUT_MS = 60_000
/** When the server does not even say that a statement took too long, the connection is dead. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000
const CONNECT_TIMEOUT_MS = 10_000
/** A process that stopped in the middle of a transaction must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000
const IDLE_MS = 30_000
const KEEP_ALIVE_AFTER_MS = 10_000

/** For one connection whose statements may take long: migrations. */
export const connectionOf = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'sonde',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
})

export function openPool(url: string, connections: number, logger?: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOf(url),
    max: connections,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  })
  // Of one that is in use, between two statements: without a listener it would end the process. The next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // Of a connection that nobody uses: the pool makes another when one is needed.
  pool.on('error', (error) =>
    logger?.warn({ err: postgresError(error, url) }, 'a connection to PostgreSQL was lost'),
  )
  return pool
}

// https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat
const [BOOL, INT8, INT4, INT2, NUMERIC, FLOAT8] = [16, 20, 23, 21, 1700, 701]

/** Numbers are numbers up to 2^53, sums too (`numeric`); what is true is 1, as in SQLite. */
function typeParser(oid: number): (value: string) => unknown {
  if ([INT8, INT4, INT2, NUMERIC, FLOAT8].includes(oid)) return Number
  if (oid === BOOL) return (value) => (value === 't' ? 1 : 0)
  return String
}

/** What Kysely asks for connections. Errors are ours; a connection that broke goes. */
export function kyselyPool(pool: pg.Pool, url: string): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw postgresError(error, url, 'connect to the records')
      })
      let adapted = known.get(client)
      if (!adapted) {
        adapted = adapt(client, url)
        known.set(client, adapted)
      }
      return adapted
    },
    end: () => pool.end(),
  }
}

function adapt(client: pg.PoolClient, url: string): PostgresPoolClient {
  let broken: unknown
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(sql, parameters.map(postgresValue))
    } catch (error) {
      if (isBroken(error)) broken = error
      throw postgresError(error, url)
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release() {
      client.release(broken !== undefined)
    },
  }
}

/** A text here has no NUL; events of strangers may. */
const NUL = /\0/g
/** Before or after every number. */
const [LEAST, MOST] = ['-9223372036854775808', '9223372036854775807']

function postgresValue(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.includes('\0')) return value.replaceAll(NUL, '\uFFFD')
  if (value === Infinity) return MOST
  if (value === -Infinity) return LEAST
  return value
}
