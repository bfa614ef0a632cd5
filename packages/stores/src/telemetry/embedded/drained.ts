/**
 * A query that fails after its first rows (its time or memory ran out) leaves them in the connection, and chDB puts them
 * in front of the next answer, which is somebody else's. So after a failure answers are read and thrown away until one
 * is clean. Seen with chdb 3.4.0 in every format; `conformance.ts` shows it.
 */
import type { ClickHouseClient } from '@clickhouse/client'

// What is left comes with the first; the others are for an engine that is out of memory for a moment.
const TRIES = 3

export async function drained<Result>(
  client: Pick<ClickHouseClient, 'query'>,
  job: () => Promise<Result>,
): Promise<Result> {
  try {
    return await job()
  } catch (error) {
    for (let tries = 0; tries < TRIES; tries++) if (await isClean(client)) break
    throw error
  }
}

async function isClean(client: Pick<ClickHouseClient, 'query'>): Promise<boolean> {
  try {
    const result = await client.query({ query: 'SELECT 1', format: 'TabSeparated' })
    return (await result.text()) === '1\n'
  } catch {
    return false
  }
}
