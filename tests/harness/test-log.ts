/**
 * The log behind tests of the pipeline, one partition that several processes can open: segment files in a folder, or with
 * `SONDE_TEST_LOG=nats` a stream of its own on a NATS that the process starts once.
 */
import { join } from 'node:path'
import { silentLogger as logger } from '@sonde/base'
import { type LogReader, type LogWriter, openLogReader, openLogWriter } from '@sonde/log'
import { openNatsReaders, openNatsWriter } from '@sonde/log/nats'
import { type NatsServers, startNats } from './servers/nats.ts'

/** As JSON it can be handed to another process. */
export type LogPlace =
  | { readonly dir: string }
  | { readonly url: string; readonly prefix: string; readonly partitions: 1; readonly maxBytes: number }

const POLL_MS = 5
const MAX_BYTES = 64 * 2 ** 20

let nats: Promise<NatsServers> | undefined
let made = 0

/** Empty; in `dir`, unless it is on a server. */
export async function createLog(dir: string): Promise<LogPlace> {
  const kind = process.env['SONDE_TEST_LOG'] ?? 'folder'
  if (kind === 'folder') return { dir: join(dir, 'log') }
  if (kind !== 'nats') throw new Error(`SONDE_TEST_LOG is ${kind}; there are folder and nats`)
  nats ??= startNats()
  return { url: (await nats).url, prefix: `log${++made}`, partitions: 1, maxBytes: MAX_BYTES }
}

export function openWriter(place: LogPlace): Promise<LogWriter> {
  return 'url' in place ? openNatsWriter({ ...place, logger }) : openLogWriter({ ...place, logger })
}

export async function openReader(place: LogPlace): Promise<LogReader> {
  if ('dir' in place) return openLogReader({ ...place, logger, pollMs: POLL_MS })
  const readers = await openNatsReaders({ ...place, logger })
  const [reader] = readers.readers
  if (!reader) throw new Error('a log without partitions')
  return { ...reader, close: () => readers.close() }
}
