/**
 * The console against a ClickHouse server. Each statement carries its limits as settings of the request, `readonly` among
 * them, so the account needs no profile of its own; one statement at a time, as embedded.
 */
import { createClient } from '@clickhouse/client'
import { consoleAnswer, ConsoleError, consoleSettings, type TelemetryConsole } from '../console.ts'
import { createSlots } from '../embedded/slots.ts'
import { engineError, engineErrorCode } from '../engine-error.ts'

/** A server has more memory than a process that embeds the engine; the share of it is what one statement may have. */
const SERVER_MEMORY_BYTES = 4 * 1024 ** 3

export function createServerConsole(url: string): TelemetryConsole {
  const turns = createSlots(['turn'])
  return {
    use: (database, job) =>
      turns.use(async () => {
        const client = createClient({ url: inDatabase(url, database), application: 'sonde-console' })
        try {
          return await job(async (query) => {
            try {
              const result = await client.query({
                query,
                format: 'JSONCompact',
                clickhouse_settings: consoleSettings(SERVER_MEMORY_BYTES),
              })
              return consoleAnswer(await result.text())
            } catch (error) {
              const code = engineErrorCode(error)
              if (code === undefined) throw engineError(error, 'run a statement of the console', query)
              throw new ConsoleError(code, (error as Error).message, error)
            }
          })
        } finally {
          await client.close()
        }
      }),
  }
}

function inDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(database)}`
  return changed.href
}
