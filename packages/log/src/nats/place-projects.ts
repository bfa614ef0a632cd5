/**
 * Which partition has a project's records. Telemetry's shards decide it: all projects of a partition lie on one shard, so that
 * one which is away holds up no partition of another. Who reads the log knows the shards and notes them at the first
 * stream; who writes looks there, now and then, because both are different processes.
 */
import type { JetStreamManager } from '@nats-io/jetstream'
import type { Logger } from '@sonde/base'
import type { ShardWeights } from '../log.ts'
import { ownMetadata, type StreamNames } from './streams.ts'

const SHARDS = 'sonde_shards'
const ONE_SHARD: ShardWeights = [1]

/**
 * A shard has the partitions `shard`, `shard + shards`, …, as many as all shards can have alike; what is left over has no
 * project. With more shards than partitions several share one. Where the number of partitions is a multiple of that of the
 * shards it is `projectId % partitions`, as without shards: nothing moves.
 */
export function partitionOf(projectId: number, partitions: number, weights: ShardWeights): number {
  const slots = weights.reduce((sum, weight) => sum + weight, 0)
  const shard = shardOf(projectId % slots, weights)
  const each = Math.floor(partitions / weights.length)
  if (each === 0) return shard % partitions
  return shard + weights.length * (Math.floor(projectId / slots) % each)
}

/** https://clickhouse.com/docs/engines/table-engines/special/distributed#distributed-writing-data */
function shardOf(slot: number, weights: ShardWeights): number {
  let end = 0
  return weights.findIndex((weight) => slot < (end += weight))
}

type Needs = {
  readonly manager: JetStreamManager
  readonly names: StreamNames
  readonly partitions: number
  readonly logger: Logger
}

/** Notes the shards for all who write. Nothing is written when they are noted already. */
export async function noteShards(
  { manager, names, partitions, logger }: Needs,
  weights: ShardWeights,
): Promise<void> {
  if (weights.length > partitions)
    logger.warn(
      { shards: weights.length, partitions },
      'telemetry has more shards than the log has partitions: one that is away holds up projects of others',
    )
  const { config } = await manager.streams.info(names.stream(0))
  const text = weights.join(',')
  if ((config.metadata?.[SHARDS] ?? ONE_SHARD.join(',')) === text) return
  const metadata = { ...ownMetadata(config.metadata), [SHARDS]: text }
  await manager.streams.update(names.stream(0), { ...config, metadata })
  logger.info(
    { shards: weights.length, partitions },
    'projects are placed by the shards of telemetry from now on',
  )
}

const LOOK_EVERY_MS = 10_000

/** The shards as they are noted, looked up again while it runs. Throws when the streams cannot be asked at first. */
export async function followShards({ manager, names, partitions, logger }: Needs, lookMs = LOOK_EVERY_MS) {
  const read = async (): Promise<ShardWeights> =>
    readWeights((await manager.streams.info(names.stream(0))).config.metadata?.[SHARDS])
  let weights = await read()
  const look = (): void =>
    void read().then(
      (now) => (weights = now),
      (error: unknown) => logger.debug({ err: error }, 'the shards of telemetry stay as they were known'),
    )
  const timer = setInterval(look, lookMs).unref()
  return {
    partitionOf: (projectId: number): number => partitionOf(projectId, partitions, weights),
    close: () => clearInterval(timer),
  }
}

function readWeights(text: string | undefined): ShardWeights {
  const weights = (text ?? '').split(',').map(Number)
  return weights.every((weight) => Number.isInteger(weight) && weight > 0) ? weights : ONE_SHARD
}
