/** What the options of `sonde move` name, read and refused as the settings that they will become. */
import { ConfigError } from '@sonde/base'
import { type CommandInput, UsageError } from '@sonde/cli'
import { readNatsAddress } from '@sonde/log'
import { readS3Url } from '@sonde/stores/engines'
import { type Config, readConfig } from '../config/config.ts'
import { MOVED_ENGINES, type Move, type MovedEngine } from './move-file.ts'

/** Option → the setting that it becomes. */
const OPTIONS = [
  { option: 'to-clickhouse', setting: 'SONDE_CLICKHOUSE_URL', engine: 'telemetry' },
  { option: 'to-cluster', setting: 'SONDE_CLICKHOUSE_CLUSTER', engine: 'telemetry' },
  { option: 'to-database', setting: 'SONDE_DATABASE_URL', engine: 'records' },
  { option: 'to-blobs', setting: 'SONDE_BLOBS_URL', engine: 'blobs' },
  { option: 'to-nats', setting: 'SONDE_NATS_URL', engine: 'log' },
] as const

export type Targets = {
  readonly engines: readonly MovedEngine[]
  /** As the new Sonde will be configured. */
  readonly config: Config
  readonly to: Move['to']
  /** Names and values; a password in one is left out. */
  readonly settings: readonly (readonly [string, string])[]
}

/** Throws `UsageError`, and `ConfigError` for what cannot be moved because it is on a server already. */
export function readTargets(
  source: Config,
  { text }: Pick<CommandInput, 'text'>,
  env: NodeJS.ProcessEnv = process.env,
): Targets {
  const given = OPTIONS.flatMap(({ option, setting, engine }) => {
    const value = text(option)
    return value === undefined ? [] : [{ setting, engine, value }]
  })
  if (given.length === 0)
    throw new UsageError(`sonde move: say where to: ${OPTIONS.map(({ option }) => `--${option}`).join(', ')}`)
  const engines = MOVED_ENGINES.filter((engine) => given.some((one) => one.engine === engine))
  for (const { engine, setting } of given)
    if ('url' in source.engines[engine] && setting !== 'SONDE_CLICKHOUSE_CLUSTER')
      throw new ConfigError(
        setting,
        `is set: the ${engine} ${engine === 'log' ? 'is' : 'are'} on a server already`,
        'what moves lies in SONDE_DATA_DIR: unset it, or leave the option out',
      )
  const config = readConfig({
    ...env,
    ...Object.fromEntries(given.map(({ setting, value }) => [setting, value])),
  })
  return {
    engines,
    config,
    to: Object.fromEntries(engines.map((engine) => [engine, placeOf(config.engines, engine)])),
    settings: given.map(({ setting, value }) => [setting, withoutPassword(value)] as const),
  }
}

function placeOf(engines: Config['engines'], engine: MovedEngine): string {
  const place = engines[engine]
  if (!('url' in place)) throw new Error(`${engine} has no address`)
  if (engine === 'blobs') {
    const address = readS3Url(place.url)
    return `${address?.bucket}/${address?.prefix} at ${address?.endpoint}`
  }
  if (engine === 'log') return readNatsAddress(place.url)?.servers.join(', ') ?? ''
  const { host, pathname } = new URL(place.url)
  return `${host}${pathname}${'cluster' in place ? ` (cluster ${place.cluster})` : ''}`
}

const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:/@]*:)[^@/]*@/g, '$1…@')
