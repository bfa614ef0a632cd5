/** Opens the records in PostgreSQL; several machines may. */
import type { Logger } from '@sonde/base'
import { HandleEmptyInListsPlugin, Kysely, PostgresDialect, replaceWithNoncontingentExpression } from 'kysely'
import { SCHEMA } from '../migrations.ts'
import type { OpenRecords } from '../records-engine.ts'
import type { RecordsSchema } from '../schema.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { kyselyPool, openPool } from './pool.ts'
import { shownUrl } from './postgres-errors.ts'
import { RecordsAdapter } from './records-adapter.ts'

/**
 * The process with the screens and the pipeline; the server's default of 100 has room for several of those. More at once
 * would only wait for each other.
 */
const CONNECTIONS = 10

/** Migrates before it resolves. Throws `SondeError` with a hint when the database cannot be used. */
export async function openPostgres(url: string, logger: Logger): Promise<OpenRecords> {
  const { version, hasTextIndex } = await migratePostgres(url, logger)
  const pool = openPool(url, CONNECTIONS, logger)
  const db = new Kysely<RecordsSchema>({
    dialect: new RecordsDialect({ pool: kyselyPool(pool, url) }, hasTextIndex),
    // `x in ()` is false to SQLite and an error here.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  })
  let closing: Promise<void> | undefined
  return {
    db,
    engine: { name: 'PostgreSQL', version, place: shownUrl(url), schema: SCHEMA },
    async sizeBytes() {
      const { rows } = await pool.query<{ bytes: number }>(
        `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
         WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
      )
      return rows[0]?.bytes ?? 0
    },
    async eraseDeleted() {
      // What is deleted stays in the tables' files: each is written anew, while nobody uses it.
      const { rows } = await pool.query<{ name: string }>(
        `SELECT quote_ident(relname) AS name FROM pg_class
         WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
      )
      for (const { name } of rows) await pool.query(`VACUUM FULL ${name}`)
    },
    close() {
      closing ??= db.destroy()
      return closing
    },
  }
}

class RecordsDialect extends PostgresDialect {
  readonly #hasTextIndex: boolean

  constructor(config: ConstructorParameters<typeof PostgresDialect>[0], hasTextIndex: boolean) {
    super(config)
    this.#hasTextIndex = hasTextIndex
  }

  override createAdapter(): RecordsAdapter {
    return new RecordsAdapter(this.#hasTextIndex)
  }
}
