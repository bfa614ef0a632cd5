/**
 * The front process: the public port, ingest, the log's writer, and the keeper of the back. Everything is built here,
 * in the order in which it starts; it stops in reverse.
 */
import { createLogger, createMetrics, createStopStack, type StopStack, systemClock } from '@sonde/base'
import { createIngest, createProxyTrust } from '@sonde/ingest'
import { openEngines } from '@sonde/stores/engines'
import type { Config } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { type BackSupervisor, superviseBack } from './back-supervisor.ts'
import { startDiskGuard } from './disk-guard.ts'
import { createDoors } from './doors.ts'
import { observeFront } from './front-metrics.ts'
import { createGate } from './gate.ts'
import { createHostRule } from './known-hosts.ts'
import { listen } from './listen.ts'
import { createMetricsDoor } from './metrics-door.ts'
import { createBackProxy } from './proxy.ts'
import { openSocketDir } from '../internal/socket-dir.ts'
import { openReporterScript } from './reporter-script.ts'
import { createSecurityTxt } from './security-txt.ts'

/** What else of this program the front needs to know about. */
export type FrontFiles = {
  readonly back: BackScript
  /** Folder of the built reporter. */
  readonly reporter: string
}

export type BackScript = { readonly path: string; readonly execArgv: readonly string[] }

export type RunningFront = {
  readonly url: string
  readonly back: BackSupervisor
  /** Lets running requests end, then stops the back. Within 10 s. */
  readonly stop: StopStack['stopAll']
}

export type FrontEvents = {
  readonly onReady: (url: string, notices: readonly string[]) => void
  readonly onFirstStartFailed: (message: string) => void
}

// Together below the 10 s that a service manager usually grants.
const REQUESTS_GRACE_MS = 3_000
const BACK_GRACE_MS = 6_000

export async function startFront(
  config: Config,
  files: FrontFiles,
  events: FrontEvents,
): Promise<RunningFront> {
  const logger = createLogger('front', config.logLevel)
  const metrics = createMetrics()
  const clock = systemClock
  const stops = createStopStack(logger)
  try {
    openDataDir(config.dataDir, logger)
    openSocketDir(config.dataDir)

    const engines = await openEngines(config.engines, ['logWriter', 'keys'], { logger, clock })
    stops.push('engines', () => engines.close())
    const { logWriter: log, keys } = engines

    const { region, regions, trustProxy } = config
    const limits = { attachmentBytes: config.maxAttachmentBytes, spikes: config.spikes }
    const disk = startDiskGuard(config.dataDir, config.freeShares, logger)
    stops.push('disk', () => disk.stop())
    const ingest = createIngest({
      log,
      keys,
      region,
      regions,
      trustProxy,
      limits,
      diskSpace: disk.space,
      clock,
      logger,
      metrics,
    })
    stops.push('ingest', () => ingest.stop())

    const proxy = createBackProxy({
      socketPath: config.paths.backSocket,
      trust: createProxyTrust(trustProxy),
    })
    stops.push('proxy', () => proxy.close())

    const doors = createDoors({
      ingest: ingest.handle,
      forward: proxy.forward,
      reporterScript: openReporterScript(files.reporter),
      securityTxt: createSecurityTxt({
        contact: config.securityContact,
        publicUrl: config.isBehindProxy ? config.publicUrl : undefined,
        clock,
      }),
      accepting: () => log.stats().accepting && disk.space() !== 'too-little',
      metrics: createMetricsDoor({
        metrics,
        internalSocket: config.paths.internalSocket,
        token: config.metricsToken,
      }),
      hostRule: createHostRule(config),
    })
    const listening = await listen(createGate(doors), { host: config.host, port: config.port })
    stops.push('port', () => listening.stop(REQUESTS_GRACE_MS))

    const port = String(listening.port)
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
    const back = superviseBack({
      script: files.back.path,
      execArgv: files.back.execArgv,
      // The back writes DSNs and links: it must know the port that was really taken. The telemetry engine can hold
      // three of libuv's four threads, and password hashing and files wait for the fourth.
      env: { ...process.env, PORT: port, UV_THREADPOOL_SIZE: '8' },
      logger,
      append: (bytes) => log.append(bytes),
      onReady: (notices) => events.onReady(url, notices),
      onFirstStartFailed: events.onFirstStartFailed,
    })
    stops.push('back', () => back.stop(BACK_GRACE_MS))
    observeFront(metrics, log, back.state)
    return { url, back, stop: stops.stopAll }
  } catch (error) {
    await stops.stopAll()
    throw error
  }
}
