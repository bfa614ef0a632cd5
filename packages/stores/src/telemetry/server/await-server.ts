/** Before the first statement of a start: waits for the server, and refuses in words one that cannot be used. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, ConfigError, type Logger, SondeError } from '@sonde/base'
import { engineErrorCode } from '../engine-error.ts'

/** The version that the tests run on; an older one lacks settings that our tables have. */
export const OLDEST_CLICKHOUSE = '26.7'
const SETTING = 'SONDE_CLICKHOUSE_URL'
const LOOK_EVERY_MS = 1_000
const SAY_EVERY = 10

export type ServerQuery = <Row>(sql: string, params?: Readonly<Record<string, unknown>>) => Promise<Row[]>
type Needs = {
  readonly query: ServerQuery
  readonly url: string
  readonly clock: Clock
  readonly logger: Logger
  /** How long a server that does not answer is waited for. */
  readonly waitMs: number
}

/** Throws `ConfigError` for what waiting does not mend, else what the server's silence was. */
export async function awaitServer({ query, url, clock, logger, waitMs }: Needs): Promise<void> {
  const untilMs = clock.nowMs() + waitMs
  for (let tries = 0; ; tries++) {
    try {
      const [row] = await query<{ version: string }>('SELECT version() AS version')
      return checkVersion(row?.version ?? '')
    } catch (error) {
      const refused = refusal(error, url)
      if (refused) throw refused
      const isSilent = error instanceof SondeError && error.kind === 'unavailable'
      if (!isSilent || clock.nowMs() >= untilMs) throw error
      if (tries % SAY_EVERY === 0)
        logger.warn(
          { server: serverAddress(url) },
          'waiting for the ClickHouse server, which does not answer',
        )
      await sleep(LOOK_EVERY_MS)
    }
  }
}

/** Without user and password. */
export const serverAddress = (url: string): string => new URL(url).origin
const userOf = (url: string): string => decodeURIComponent(new URL(url).username) || 'default'
export const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
const UNKNOWN_DATABASE = 81
const AUTHENTICATION_FAILED = new Set<number | undefined>([192, 193, 194, 516])

function refusal(error: unknown, url: string): ConfigError | undefined {
  const code = engineErrorCode((error as { cause?: unknown }).cause)
  const at = serverAddress(url)
  if (AUTHENTICATION_FAILED.has(code))
    return new ConfigError(
      SETTING,
      `the ClickHouse server ${at} does not let the user "${userOf(url)}" in: the password is wrong, or there is no such user`,
      'Characters such as @ : / % of a password are written percent-encoded in a URL.',
    )
  if (code === UNKNOWN_DATABASE)
    return new ConfigError(
      SETTING,
      `the ClickHouse server ${at} has no database "${databaseOf(url)}"`,
      `Make it there: CREATE DATABASE ${databaseOf(url)}`,
    )
  return undefined
}

/** Throws `ConfigError` for one older than `OLDEST_CLICKHOUSE`. */
export function checkVersion(version: string): void {
  const [year = 0, month = 0] = version.split('.').map(Number)
  const [oldestYear = 0, oldestMonth = 0] = OLDEST_CLICKHOUSE.split('.').map(Number)
  if (year > oldestYear || (year === oldestYear && month >= oldestMonth)) return
  throw new ConfigError(
    SETTING,
    `the ClickHouse server has version ${version}; Sonde is tested with ${OLDEST_CLICKHOUSE} and needs that or a later one`,
    'Upgrade the server.',
  )
}

const ON_DATABASE = ['SELECT', 'INSERT', 'ALTER', 'CREATE TABLE', 'DROP TABLE']
// The SQL console makes databases of views, one for each organization.
const ON_CONSOLE = ['CREATE DATABASE', 'DROP DATABASE', 'CREATE VIEW', 'SELECT']
const ON_CLUSTER = ['CLUSTER', 'REMOTE']

/** Throws `ConfigError` with the statement that gives what is missing. */
export async function checkRights(
  ask: (sql: string) => Promise<string>,
  url: string,
  isCluster: boolean,
): Promise<void> {
  const wanted: readonly { right: string; on: string; probe?: string }[] = [
    ...ON_DATABASE.map((right) => ({ right, on: `${databaseOf(url)}.*` })),
    ...ON_CONSOLE.map((right) => ({ right, on: '`console_*`.*', probe: 'console_0.*' })),
    { right: 'SELECT', on: 'system.*' },
    ...(isCluster ? ON_CLUSTER.map((right) => ({ right, on: '*.*' })) : []),
  ]
  const has = await Promise.all(
    wanted.map(
      async ({ right, on, probe = on }) => (await ask(`CHECK GRANT ${right} ON ${probe}`)).trim() === '1',
    ),
  )
  const missing = wanted.filter((_, at) => !has[at])
  if (missing.length === 0) return
  const user = userOf(url)
  const places = [...new Set(missing.map(({ on }) => on))]
  const rightsOn = (place: string): string =>
    missing.flatMap(({ right, on }) => (on === place ? [right] : [])).join(', ')
  throw new ConfigError(
    SETTING,
    `the ClickHouse user "${user}" lacks rights: ${places.map((on) => `${rightsOn(on)} on ${on}`).join('; ')}`,
    `Run as an administrator: ${places.map((on) => `GRANT ${rightsOn(on)} ON ${on} TO ${user};`).join(' ')}`,
  )
}
