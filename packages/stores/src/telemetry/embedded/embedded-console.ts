/** The console's connection of the embedded engine: made when somebody first asks. */
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { consoleAnswer, ConsoleError, consoleSettings, type TelemetryConsole } from '../console.ts'
import { engineErrorCode } from '../engine-error.ts'
import { leavingNothing } from './leaving-nothing.ts'
import { createSlots, type Slots } from './slots.ts'

export type EmbeddedConsole = TelemetryConsole & { close(): Promise<void> }

export function createEmbeddedConsole(
  connect: () => ReturnType<typeof createClient>,
  maxMemoryBytes: number,
): EmbeddedConsole {
  let opened: Promise<Slots<ClickHouseClient>> | undefined
  let client: ClickHouseClient | undefined
  const open = async (): Promise<Slots<ClickHouseClient>> => {
    const made = connect()
    const settings = Object.entries(consoleSettings(maxMemoryBytes))
    // `limit` is a keyword too, hence the backquotes.
    const texts = settings.map(
      ([name, value]) => `\`${name}\` = ${typeof value === 'string' ? `'${value}'` : value}`,
    )
    await made.command({ query: `SET ${texts.join(', ')}` })
    client = made
    return createSlots([made])
  }
  return {
    async use(database, job) {
      opened ??= open()
      const slots = await opened
      return slots.use(async (one) => {
        await one.command({ query: `USE ${quoted(database)}` })
        return job(async (sql) => {
          try {
            return await leavingNothing(one, async () => {
              const result = await one.query({ query: sql, format: 'JSONCompact' })
              return consoleAnswer(await result.text())
            })
          } catch (error) {
            const code = engineErrorCode(error)
            throw code === undefined ? error : new ConsoleError(code, (error as Error).message, error)
          }
        })
      })
    },
    async close() {
      await (await opened?.catch(() => undefined))?.idle()
      await client?.close()
    },
  }
}

const quoted = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``
