/** Connections to NATS. They find the way back by themselves, to any server. */
import { jetstream, type JetStreamClient, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { type Logger, UnavailableError } from '@sonde/base'
import { NATS_DEFAULTS, type NatsLogOptions, readAddress, shownAddress, wrongSetting } from './options.ts'
import { ensureStreams, type StreamNames, streamNames } from './streams.ts'

export type NatsLog = {
  readonly connection: NatsConnection
  readonly publisher: JetStreamClient
  readonly manager: JetStreamManager
  readonly names: StreamNames
  readonly partitions: number
  /** The servers, as people write them. */
  readonly address: string
  readonly logger: Logger
  isConnected(): boolean
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const REQUEST_MS = 2_500
const RECONNECT_WAIT_MS = 250
// A server that hangs without closing its connections is left after two of these.
const PING_MS = 10_000

export type NatsConnected = {
  readonly connection: NatsConnection
  /** The servers, as people write them. */
  readonly address: string
  isConnected(): boolean
}

/** `onReconnect`: a connection that was lost is back, with its subscriptions. Throws `ConfigError`, and what the client throws. */
export async function connectServers(
  { url, logger }: Pick<NatsLogOptions, 'url' | 'logger'>,
  role: string,
  onReconnect: () => void = () => undefined,
): Promise<NatsConnected> {
  const found = readAddress(url)
  if (!found)
    throw wrongSetting(
      'SONDE_NATS_URL',
      'is not a list of NATS addresses',
      'nats://host:4222,nats://host:4222',
    )
  const { isEncrypted, ...where } = found
  const address = shownAddress(url)
  const connection = await connect({
    ...where,
    ...(isEncrypted ? { tls: {} } : {}),
    name: `sonde ${role} ${process.pid}`,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: PING_MS,
    // What this process publishes it has already.
    noEcho: role === BUS,
  })
  let isConnected = true
  const watch = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue
      isConnected = type === 'reconnect'
      logger.info({ nats: address, type, role }, 'connection to NATS')
      if (isConnected) onReconnect()
    }
  }
  void watch()
  return { connection, address, isConnected: () => isConnected }
}

/** The role of a connection that hears only what others publish. */
export const BUS = 'bus'

/** With the streams of the log made and known. Throws `ConfigError`, and `UnavailableError` when no server answers. */
export async function connectLog(options: NatsLogOptions, role: string): Promise<NatsLog> {
  const { logger, prefix = NATS_DEFAULTS.prefix, partitions = NATS_DEFAULTS.partitions } = options
  const { connection, address, isConnected } = await connectServers(options, role).catch((error: unknown) => {
    throw isConfigError(error) ? error : notThere(shownAddress(options.url), error)
  })
  try {
    // A cluster that just started does not answer yet: the streams are asked for until it does.
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_MS })
    const names = streamNames(prefix)
    await ensureStreams(manager, { ...NATS_DEFAULTS, ...options, names, partitions })
    const publisher = jetstream(connection)
    return {
      connection,
      publisher,
      manager,
      names,
      partitions,
      address,
      logger,
      isConnected,
      close: () => connection.close(),
    }
  } catch (error) {
    await connection.close()
    throw isConfigError(error) ? error : notThere(address, error)
  }
}

const isConfigError = (error: unknown): boolean => error instanceof Error && error.name === 'ConfigError'

const notThere = (address: string, cause: unknown): UnavailableError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new UnavailableError(`NATS at ${address} cannot be used: ${message}`, {
    operation: 'open the log',
    subject: address,
    hint: 'SONDE_NATS_URL names its servers; JetStream has to be on (nats-server -js), with storage on disk',
    retryAfterSec: 10,
    cause,
  })
}
