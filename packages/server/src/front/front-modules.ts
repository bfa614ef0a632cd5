/**
 * The modules of the front process, in the order in which they start; they stop in reverse. How the list works:
 * `../modules.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Metrics } from '@sonde/base'
import { createIngest, createProxyTrust, type Ingest } from '@sonde/ingest'
import type { LogWriter } from '@sonde/log'
import { type Engines, openEngines } from '@sonde/stores/engines'
import type { Config } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { openSocketDir } from '../internal/socket-dir.ts'
import { moduleOf } from '../modules.ts'
import { type BackSupervisor, superviseBack } from './back-supervisor.ts'
import { type DiskGuard, startDiskGuard } from './disk-guard.ts'
import { createMetricsEndpoint, observeBack, observeFront, observeLog } from './front-metrics.ts'
import { createGate, createHostRule, type GateRule } from './gate.ts'
import { listen } from './listen.ts'
import { createBackProxy } from './proxy.ts'
import { refuse } from './refuse.ts'
import { openReporterScript, REPORTER_PATH, type ReporterScript } from './reporter-script.ts'
import { createSecurityTxt, SECURITY_TXT_PATHS } from './security-txt.ts'

/** Which part answers a request at the public port: the probes, the reporter's script, ingest, or the back. */
type FrontRouteParts = {
  /** Returns false when the path is none of its own. */
  readonly ingest: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly forward: (req: IncomingMessage, res: ServerResponse) => void
  readonly reporterScript: ReporterScript
  readonly securityTxt: (req: IncomingMessage, res: ServerResponse) => void
  readonly accepting: () => boolean
  /** Returns false when the one who asks may not know. */
  readonly metrics: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Looked at before the back is asked: SDKs send to many names, and probes come by address. */
  readonly hostRule: GateRule
}

export function createFrontRoutes({
  ingest,
  forward,
  reporterScript,
  securityTxt,
  accepting,
  metrics,
  hostRule,
}: FrontRouteParts) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (ingest(req, res)) return
    if (path === '/healthz')
      return answer(res, accepting() ? 200 : 503, accepting() ? 'ok\n' : 'the log cannot be written\n')
    if (path === REPORTER_PATH) return reporterScript(req, res)
    if (SECURITY_TXT_PATHS.includes(path)) return securityTxt(req, res)
    if (path === '/metrics') return metrics(req, res) ? undefined : answer(res, 404, 'not found\n')
    const misdirected = path === '/readyz' ? undefined : hostRule(req)
    if (misdirected) return refuse(req, res, misdirected)
    forward(req, res)
  }
}

const SMALL = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

function answer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { ...SMALL, 'content-type': 'text/plain; charset=utf-8' })
  res.end(text)
}

/** What else of this program the front needs to know about. */
export type FrontFiles = {
  readonly back: BackScript
  /** Folder of the built reporter. */
  readonly reporter: string
}

export type BackScript = { readonly path: string; readonly execArgv: readonly string[] }

export type FrontEvents = {
  readonly onReady: (url: string, notices: readonly string[]) => void
  readonly onFirstStartFailed: (message: string) => void
}

export type FrontTools = {
  readonly config: Config
  readonly files: FrontFiles
  readonly events: FrontEvents
  readonly clock: Clock
  readonly metrics: Metrics
}

export type FrontParts = {
  readonly folder: void
  readonly log: LogWriter
  readonly keys: Engines['keys']
  readonly disk: DiskGuard
  readonly ingest: Ingest
  readonly proxy: ReturnType<typeof createBackProxy>
  readonly port: { readonly url: string; readonly port: number }
  readonly back: BackSupervisor
}

// Together below the 10 s that a service manager usually grants.
const REQUESTS_GRACE_MS = 3_000
const BACK_GRACE_MS = 6_000

const module = moduleOf<FrontParts, FrontTools>()

export const FRONT_MODULES = [
  module({
    name: 'folder',
    needs: [],
    roles: [],
    start(_, { config, logger }) {
      openDataDir(config.dataDir, logger)
      openSocketDir(config.dataDir)
    },
  }),
  module({
    name: 'log',
    needs: ['folder'],
    roles: ['ingest'],
    async start(_, { config, logger, clock, metrics, onStop }) {
      const { logWriter, close } = await openEngines(config.engines, ['logWriter'], { logger, clock })
      onStop(close)
      observeLog(metrics, logWriter)
      return logWriter
    },
  }),
  module({
    name: 'keys',
    needs: ['folder'],
    roles: ['ingest'],
    async start(_, { config, logger, onStop }) {
      const { keys, close } = await openEngines(config.engines, ['keys'], { logger })
      onStop(close)
      return keys
    },
  }),
  module({
    name: 'disk',
    needs: ['folder'],
    roles: ['ingest'],
    start(_, { config, logger, onStop }) {
      const disk = startDiskGuard(config.dataDir, config.freeShares, logger)
      onStop(() => disk.stop())
      return disk
    },
  }),
  module({
    name: 'ingest',
    needs: ['log', 'keys', 'disk'],
    roles: ['ingest'],
    start({ log, keys, disk }, { config, clock, logger, metrics, onStop }) {
      const { region, regions, trustProxy } = config
      const limits = { attachmentBytes: config.maxAttachmentBytes, spikes: config.spikes }
      const diskSpace = disk.space
      const ingest = createIngest({
        log,
        keys,
        region,
        regions,
        trustProxy,
        limits,
        diskSpace,
        clock,
        logger,
        metrics,
      })
      onStop(() => ingest.stop())
      return ingest
    },
  }),
  module({
    name: 'proxy',
    needs: ['folder'],
    roles: ['process', 'web', 'jobs'],
    start(_, { config, onStop }) {
      const trust = createProxyTrust(config.trustProxy)
      const proxy = createBackProxy({ socketPath: config.paths.backSocket, trust })
      onStop(() => proxy.close())
      return proxy
    },
  }),
  module({
    name: 'port',
    needs: ['folder'],
    uses: ['log', 'disk', 'ingest', 'proxy'],
    roles: ['ingest', 'process', 'web', 'jobs'],
    async start({ log, disk, ingest, proxy }, { config, files, clock, metrics, onStop }) {
      const { securityContact, publicUrl, isBehindProxy, paths, metricsToken, host } = config
      observeFront(metrics)
      const routes = createFrontRoutes({
        ingest: ingest?.handle ?? (() => false),
        forward: proxy?.forward ?? refuseScreens,
        reporterScript: openReporterScript(files.reporter),
        securityTxt: createSecurityTxt({
          contact: securityContact,
          publicUrl: isBehindProxy ? publicUrl : undefined,
          clock,
        }),
        accepting: () => (log?.stats().accepting ?? true) && disk?.space() !== 'too-little',
        metrics: createMetricsEndpoint({
          metrics,
          internalSocket: paths.internalSocket,
          token: metricsToken,
        }),
        hostRule: createHostRule(config),
      })
      const listening = await listen(createGate(routes), { host, port: config.port })
      onStop(() => listening.stop(REQUESTS_GRACE_MS))
      const { port } = listening
      return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` }
    },
  }),
  module({
    name: 'back',
    needs: ['port'],
    uses: ['log'],
    roles: ['process', 'web', 'jobs'],
    start({ port: { port, url }, log }, { files, events, logger, metrics, onStop }) {
      const back = superviseBack({
        script: files.back.path,
        execArgv: files.back.execArgv,
        // The back writes DSNs and links: it must know the port that was really taken. The telemetry engine can hold
        // three of libuv's four threads, and password hashing and files wait for the fourth.
        env: { ...process.env, PORT: String(port), UV_THREADPOOL_SIZE: '8' },
        logger,
        append: (bytes) => (log ? log.append(bytes) : Promise.reject(new Error(NO_LOG))),
        onReady: (notices) => events.onReady(url, notices),
        onFirstStartFailed: events.onFirstStartFailed,
      })
      onStop(() => back.stop(BACK_GRACE_MS))
      observeBack(metrics, back.state)
      return back
    },
  }),
]

const NO_LOG = 'this Sonde does not write the log: SONDE_ROLES does not name ingest'

function refuseScreens(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  res.end('This Sonde only accepts events: SONDE_ROLES names ingest alone.\n')
}
