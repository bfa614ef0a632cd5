/** A look at the log on NATS for `sonde doctor`: changes nothing, also not where there are no streams yet. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { type NatsLogOptions, NATS_DEFAULTS, readAddress, shownAddress } from './options.ts'
import { streamNames } from './streams.ts'

export type NatsInspection = {
  readonly address: string
  readonly version: string
  readonly partitions: readonly NatsPartition[]
  /** Of records that are larger than a message. */
  readonly piecesBytes: number
}
export type NatsPartition = {
  readonly stream: string
  readonly records: number
  readonly bytes: number
  readonly maxBytes: number
  readonly oldestMs: number | undefined
  readonly replicas: number
  /** Copies that are gone or behind. */
  readonly behind: number
}

/** Of the server, whether it has streams or not. Throws when none answers, and when it has no JetStream. */
export async function readNatsVersion(url: string): Promise<string> {
  const connection = await connectOnce(url)
  try {
    await jetstreamManager(connection)
    return connection.info?.version ?? ''
  } finally {
    await connection.close()
  }
}

function connectOnce(url: string): Promise<NatsConnection> {
  const address = readAddress(url)
  if (!address) throw new Error('SONDE_NATS_URL is not a list of NATS addresses')
  const { isEncrypted, ...where } = address
  return connect({
    ...where,
    ...(isEncrypted ? { tls: {} } : {}),
    name: `sonde doctor ${process.pid}`,
    timeout: 2_000,
    reconnect: false,
  })
}

/** Throws when no server answers, and when it lacks a stream. */
export async function inspectNats(options: Omit<NatsLogOptions, 'logger'>): Promise<NatsInspection> {
  const { url, prefix = NATS_DEFAULTS.prefix, partitions = NATS_DEFAULTS.partitions } = options
  const connection = await connectOnce(url)
  try {
    const manager = await jetstreamManager(connection)
    const names = streamNames(prefix)
    const look = async (partition: number): Promise<NatsPartition> => {
      const { state, config, cluster } = await manager.streams.info(names.stream(partition))
      return {
        stream: names.stream(partition),
        records: state.messages,
        bytes: state.messages === 0 ? 0 : state.bytes,
        maxBytes: config.max_bytes,
        oldestMs: state.messages === 0 ? undefined : Date.parse(state.first_ts),
        replicas: config.num_replicas,
        behind: cluster?.replicas?.filter(({ current, offline }) => !current || offline).length ?? 0,
      }
    }
    const pieces = await manager.streams.info(names.pieces)
    return {
      address: shownAddress(url),
      version: connection.info?.version ?? '',
      partitions: await Promise.all(Array.from({ length: partitions }, (_, at) => look(at))),
      piecesBytes: pieces.state.messages === 0 ? 0 : pieces.state.bytes,
    }
  } finally {
    await connection.close()
  }
}
