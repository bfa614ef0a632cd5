/**
 * Opens the engines that a process needs, by what the configuration says: the only place that chooses one. Each is loaded
 * when it is asked for, since a process that validates requests should not carry a query engine.
 */
import { type Bus, type Clock, createLocalBus, type Logger, systemClock } from '@sonde/base'
import type { LogReaders, LogWriter } from '@sonde/log'
import type { Blobs } from './blobs/blobs.ts'
import { noteUnreadable } from './blobs/note-unreadable.ts'
import type { BlobsPlace } from './blobs/sweep-blobs.ts'
import type { KeySource } from './records/key-source.ts'
import type { NodeRegistry } from './records/node-tables.ts'
import type { RecordsOptions } from './records/open-records.ts'
import type { OpenRecords, RecordsPlace } from './records/records-engine.ts'
import type { TelemetryOptions } from './telemetry/open-telemetry.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

/** The log on NATS; what is left out has the default of `@sonde/log/nats`. */
type NatsPlace = {
  readonly url: string
  readonly prefix?: string
  readonly partitions?: number
  readonly replicas?: number
  readonly maxBytes?: number
}

/** On this machine's disk, or on a server. */
export type EngineConfig = {
  readonly records: RecordsPlace
  readonly telemetry: { readonly dir: string } | { readonly url: string; readonly cluster?: string }
  readonly blobs: BlobsPlace
  readonly log: { readonly dir: string } | NatsPlace
}

export type EngineOptions = {
  readonly logger: Logger
  readonly clock?: Clock
  readonly records?: Pick<RecordsOptions, 'isChecked'>
  readonly telemetry?: Pick<
    TelemetryOptions,
    'retentionDays' | 'consoleEntry' | 'maxMemoryBytes' | 'keepsParts'
  >
}

export type Engines = {
  readonly records: OpenRecords
  /** The project keys, apart from the other records. */
  readonly keys: KeySource
  /** Where each start says that it runs; undefined where there can be only one. */
  readonly nodes: NodeRegistry | undefined
  readonly telemetry: Telemetry
  readonly blobs: Blobs
  readonly logWriter: LogWriter
  readonly logReaders: LogReaders
  /** Of all processes of this Sonde, as far as there can be several. Opened at once, and connects by itself. */
  readonly bus: Bus
}
export type EngineName = keyof Engines
export { readS3Url } from './blobs/s3/s3-address.ts'

type Opening = {
  readonly [name in EngineName]: (
    config: EngineConfig,
    options: EngineOptions,
    /** Of telemetry: opens the records, where they are asked for too. */
    openFirst?: () => Promise<void>,
  ) => Promise<{ readonly engine: Engines[name]; readonly close: () => Promise<void> }>
}

const OPENING: Opening = {
  async records({ records: place }, { logger, records: more = {} }) {
    const { openRecords } = await import('./records/open-records.ts')
    const engine = await openRecords(place, { logger, ...more })
    return { engine, close: () => engine.close() }
  },
  async keys({ records: place }) {
    const { openKeySource } = await import('./records/key-source.ts')
    const engine = await openKeySource(place)
    return { engine, close: () => engine.close() }
  },
  async nodes({ records: place }) {
    const { openNodeRegistry } = await import('./records/node-registry.ts')
    const engine = await openNodeRegistry(place)
    return { engine, close: async () => engine?.close() }
  },
  async telemetry(
    { telemetry: place, records },
    { logger, clock = systemClock, telemetry: more = {} },
    beforeSteps,
  ) {
    const { openTelemetry } = await import('./telemetry/open-telemetry.ts')
    const besideBytes =
      beforeSteps && 'dir' in place && 'file' in records
        ? (await import('./upgrade/records-need.ts')).recordsNeedBeside(records.file, place.dir)
        : 0
    const engine = await openTelemetry(place, { logger, clock, ...more, beforeSteps, besideBytes })
    return { engine, close: () => engine.close() }
  },
  async blobs({ blobs: place }, { clock = systemClock }) {
    const close = async (): Promise<void> => undefined
    if ('url' in place) {
      const { openS3Blobs } = await import('./blobs/s3/s3-blobs.ts')
      return { engine: noteUnreadable(await openS3Blobs(place), clock), close }
    }
    const { openBlobs } = await import('./blobs/folder-blobs.ts')
    return { engine: noteUnreadable(openBlobs(place), clock), close }
  },
  async logWriter({ log: place }, { logger, clock = systemClock }) {
    if ('url' in place) {
      const { openNatsWriter } = await import('@sonde/log/nats')
      const engine = await openNatsWriter({ ...place, logger, clock })
      return { engine, close: () => engine.close() }
    }
    const { openLogWriter } = await import('@sonde/log')
    const engine = await openLogWriter({ dir: place.dir, logger, clock })
    return { engine, close: () => engine.close() }
  },
  async logReaders({ log: place }, { logger, clock = systemClock }) {
    if ('url' in place) {
      const { openNatsReaders } = await import('@sonde/log/nats')
      const engine = await openNatsReaders({ ...place, logger, clock })
      return { engine, close: () => engine.close() }
    }
    const { openLogReaders } = await import('@sonde/log')
    const engine = await openLogReaders({ dir: place.dir, logger })
    return { engine, close: () => engine.close() }
  },
  async bus({ log, records, telemetry, blobs }, { logger }) {
    if ('url' in log) {
      const { openNatsBus } = await import('@sonde/log/nats')
      const engine = openNatsBus({ ...log, logger })
      return { engine, close: () => engine.close() }
    }
    // Other starts with `web` or `maintain` are possible then: packages/server/src/config/role-rules.ts.
    if ('url' in records && 'url' in telemetry && 'url' in blobs) {
      const { openPostgresBus } = await import('./records/postgres/postgres-bus.ts')
      const engine = openPostgresBus(records.url, logger)
      return { engine, close: () => engine.close() }
    }
    return { engine: createLocalBus(logger), close: async () => undefined }
  },
}

/**
 * In the order of `names`; `close` goes the other way, and may be called again. When one of them cannot be opened, those
 * before it are closed. Of records and telemetry that are asked for together, neither is upgraded when the other refuses: telemetry
 * looks first, then the records are opened, then telemetry takes its steps. Throws `ConfigError`, and what the engines throw.
 */
export async function openEngines<Name extends EngineName>(
  config: EngineConfig,
  names: readonly Name[],
  options: EngineOptions,
): Promise<Pick<Engines, Name> & { close(): Promise<void> }> {
  const opened: Partial<Record<EngineName, unknown>> = {}
  const closing: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    const errors: unknown[] = []
    for (const stop of closing.splice(0).toReversed())
      await stop().catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }
  try {
    const open = async (name: EngineName, openFirst?: () => Promise<void>): Promise<void> => {
      if (name in opened) return
      const one = await OPENING[name](config, options, openFirst)
      opened[name] = one.engine
      closing.push(one.close)
    }
    const asked: readonly EngineName[] = names
    if (asked.includes('records') && asked.includes('telemetry'))
      await open('telemetry', () => open('records'))
    for (const name of asked) await open(name)
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
  return { ...(opened as Pick<Engines, Name>), close }
}
