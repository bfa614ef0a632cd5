/** The nodes in PostgreSQL, over one connection. */
import type pg from 'pg'
import type { NodeRegistry, NodeRow } from '../node-tables.ts'
import { openPool } from './pool.ts'
import { postgresError } from './postgres-errors.ts'

const COLUMNS = [
  'name',
  'run',
  'host',
  'back_pid',
  'version',
  'roles',
  'state',
  'started_ms',
  'seen_ms',
  'figures',
] as const satisfies readonly (keyof NodeRow)[]

/** The next word is said a few seconds later anyway. */
const ANSWER_TIMEOUT_MS = 5_000

const ANNOUNCE = `INSERT INTO node (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})
  ON CONFLICT (name) DO UPDATE SET ${COLUMNS.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`

/** Connects at the first word, and anew after each failure. */
export function openPostgresNodes(url: string): NodeRegistry {
  const pool = openPool(url, 1)
  const run = async (text: string, values: readonly unknown[]): Promise<void> => {
    try {
      const query: pg.QueryConfig & { query_timeout: number } = {
        text,
        values: [...values],
        query_timeout: ANSWER_TIMEOUT_MS,
      }
      await pool.query(query)
    } catch (error) {
      throw postgresError(error, url, 'say that this node runs')
    }
  }
  return {
    async announce(node, keptFromMs) {
      await run(
        ANNOUNCE,
        COLUMNS.map((column) => node[column]),
      )
      await run('DELETE FROM node WHERE seen_ms < $1', [keptFromMs])
    },
    leave: ({ name, run: start }) => run('DELETE FROM node WHERE name = $1 AND run = $2', [name, start]),
    close: () => pool.end(),
  }
}
