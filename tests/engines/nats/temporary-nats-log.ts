/** A log of its own on a NATS that tests share. */
import { randomUUID } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { silentLogger } from '@sonde/base'
import type { LogReaders } from '@sonde/log'
import type { OpenLog } from '@sonde/log/conformance'
import {
  type NatsReadersOptions,
  type NatsWriterOptions,
  openNatsReaders,
  openNatsWriter,
} from '@sonde/log/nats'

export type NatsLogs = OpenLog & { readonly readers: LogReaders; readonly options: NatsWriterOptions }
type Options = Partial<NatsWriterOptions> & Pick<NatsReadersOptions, 'onCorruption'>

const MIB = 2 ** 20

export async function temporaryNatsLog(url: string, more: Options = {}): Promise<NatsLogs> {
  const prefix = `t${randomUUID().slice(0, 8)}`
  return openAt({ url, prefix, logger: silentLogger, partitions: 1, maxBytes: 64 * MIB, ...more })
}

async function openAt(options: NatsWriterOptions & Options): Promise<NatsLogs> {
  const writer = await openNatsWriter(options)
  const readers = await openNatsReaders(options)
  const [reader] = readers.readers
  if (!reader) throw new Error('a log without partitions')
  const close = async (): Promise<void> => {
    await writer.close()
    await readers.close()
  }
  return {
    writer,
    readers,
    reader,
    options,
    async reopen() {
      await close()
      return openAt(options)
    },
    async dispose() {
      await close()
      await dropStreams(options.url, options.prefix ?? '')
    },
  }
}

async function dropStreams(url: string, prefix: string): Promise<void> {
  const connection = await connect({ servers: url.split(',') })
  const manager = await jetstreamManager(connection)
  for await (const name of manager.streams.names())
    if (name.startsWith(`${prefix}_`)) await manager.streams.delete(name)
  await connection.close()
}

/** What the streams of a log hold, by their names without the prefix. */
export async function storedMessages({
  url,
  prefix = '',
}: NatsWriterOptions): Promise<Record<string, number>> {
  const connection = await connect({ servers: url.split(',') })
  const manager = await jetstreamManager(connection)
  const found: Record<string, number> = {}
  for await (const { config, state } of manager.streams.list())
    if (config.name.startsWith(`${prefix}_`)) found[config.name.slice(prefix.length + 1)] = state.messages
  await connection.close()
  return found
}
