/**
 * The streams of the log: one for each partition, and one for the pieces of records that are larger than a message. Whoever
 * connects makes those that are missing, so it does not matter which process starts first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { wrongSetting } from './options.ts'

export type StreamNames = {
  stream(partition: number): string
  subject(partition: number): string
  /** Nothing is stored under it: it says that a partition has new records. */
  wake(partition: number): string
  /** Nothing is stored under it either: a topic of the bus. */
  bus(topic: string): string
  /** Pieces of records, `piece` of one. */
  readonly pieces: string
  piece(recordId: string, index: number | '*'): string
}

export const streamNames = (prefix: string): StreamNames => ({
  stream: (partition) => `${prefix}_log_${partition}`,
  subject: (partition) => `${prefix}.log.${partition}`,
  wake: (partition) => `${prefix}.wake.${partition}`,
  bus: (topic) => `${prefix}.bus.${topic}`,
  pieces: `${prefix}_pieces`,
  piece: (recordId, index) => `${prefix}.piece.${recordId}.${index}`,
})

type Wanted = {
  readonly names: StreamNames
  readonly partitions: number
  readonly replicas: number
  readonly maxBytes: number
  readonly above?: number
}

// A repeated append comes within the time that one is tried; NATS remembers its id for longer.
const DUPLICATE_WINDOW_NS = 120 * 1e9
const PARTITIONS = 'sonde_partitions'
// A cluster that just started has no leader yet.
const WITHIN_MS = 20_000
const AGAIN_MS = 250
const STREAM_NOT_FOUND = 10059
const NO_STORAGE: readonly number[] = [10047, 10028, 10023]
const NO_PEERS: readonly number[] = [10005, 10074]

export async function ensureStreams(manager: JetStreamManager, wanted: Wanted): Promise<void> {
  const { names, partitions, replicas, maxBytes, above = 0 } = wanted
  const share = Math.floor(maxBytes / partitions)
  const common = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    duplicate_window: DUPLICATE_WINDOW_NS,
    allow_direct: true,
    metadata: { [PARTITIONS]: String(partitions) },
  }
  const numbers = Array.from({ length: partitions }, (_, partition) => partition)
  // First the first: it says whether the number is right, before any is made.
  for (const partition of numbers)
    await ensure(
      manager,
      { partitions, above },
      {
        ...common,
        name: names.stream(partition),
        subjects: [names.subject(partition)],
        max_bytes: share,
      },
    )
  await ensure(
    manager,
    { partitions, above },
    {
      ...common,
      name: names.pieces,
      subjects: [names.piece('*', '*')],
      max_bytes: Math.floor(maxBytes / 2),
    },
  )
}

/** Without what the server adds. */
export const ownMetadata = (metadata: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith('_nats.')))

type Config = Partial<StreamConfig> & Pick<StreamConfig, 'name'>

async function ensure(
  manager: JetStreamManager,
  { partitions, above }: { readonly partitions: number; readonly above: number },
  config: Config,
): Promise<void> {
  const untilMs = performance.now() + WITHIN_MS
  for (;;) {
    try {
      const there = await manager.streams.info(config.name).catch(unlessMissing)
      // A log that begins anew begins above all positions that an older one handed out.
      if (!there) await manager.streams.add({ ...config, first_seq: Math.max(Date.now() * 1_000, above + 1) })
      else {
        const made = there.config.metadata?.[PARTITIONS]
        if (made !== String(partitions)) throw otherPartitions(made)
        const { num_replicas, max_bytes } = there.config
        const metadata = { ...ownMetadata(there.config.metadata), ...config.metadata }
        if (num_replicas !== config.num_replicas || max_bytes !== config.max_bytes)
          await manager.streams.update(config.name, { ...there.config, ...config, metadata })
      }
      return
    } catch (error) {
      const code = error instanceof JetStreamApiError ? error.code : 0
      if (NO_STORAGE.includes(code)) throw noStorage(error)
      if (error instanceof Error && error.name === 'ConfigError') throw error
      if (performance.now() > untilMs)
        throw NO_PEERS.includes(code) ? noPeers(config.num_replicas ?? 1, error) : error
      await sleep(AGAIN_MS)
    }
  }
}

const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error
}

const otherPartitions = (made: string | undefined) =>
  made === undefined
    ? wrongSetting(
        'SONDE_NATS_PREFIX',
        'names streams that no Sonde made',
        'set SONDE_NATS_PREFIX to another word',
      )
    : wrongSetting(
        'SONDE_LOG_PARTITIONS',
        `the log has ${made} partitions, and their number cannot be changed`,
        `set SONDE_LOG_PARTITIONS=${made}, or begin another log with SONDE_NATS_PREFIX once this one is empty`,
      )

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const noStorage = (error: unknown) =>
  wrongSetting(
    'SONDE_NATS_MAX_BYTES',
    `NATS cannot reserve so much: ${message(error)}`,
    'set a smaller SONDE_NATS_MAX_BYTES (half as much again is kept for large records), or raise max_file_store of the servers',
  )

const noPeers = (replicas: number, error: unknown) =>
  wrongSetting(
    'SONDE_NATS_REPLICAS',
    `NATS cannot keep ${replicas} copies: ${message(error)}`,
    'set it to at most the number of its servers: 1, 3 or 5',
  )
