/**
 * The modules of the front process, in the order in which they start; they stop in reverse. How the list works:
 * `../modules.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, Clock, Metrics, ProcessLog, Tracer } from '@sonde/base'
import { createIngest, createProxyTrust, type Ingest } from '@sonde/ingest'
import type { LogWriter } from '@sonde/log'
import { type Engines, openEngines } from '@sonde/stores/engines'
import { createInternalRoutes } from '../back/internal-routes.ts'
import type { Config } from '../config/config.ts'
import { keepsDataOnDisk } from '../config/role-rules.ts'
import { openDataDir } from '../data-dir.ts'
import type { PartReport } from '../doctor/report.ts'
import { askBack } from '../internal/ask-back.ts'
import {
  changeFrom,
  createLogControl,
  LOG_LEVEL_PATH,
  type LogLevelState,
  logRoutes,
} from '../internal/log-control.ts'
import { openSocketDir } from '../internal/socket-dir.ts'
import { moduleOf } from '../modules.ts'
import { observeDisk, observeProcess } from '../observe/observe-process.ts'
import { traceLog } from '../observe/trace-log.ts'
import { type AnnouncedNode, announceNode } from './announce-node.ts'
import { type BackSupervisor, superviseBack } from './back-supervisor.ts'
import { type DiskGuard, startDiskGuard } from './disk-guard.ts'
import { DOCS_PATH, type DocsSite, openDocsSite } from './docs-site.ts'
import type { Ending } from './ending.ts'
import { createMetricsEndpoint, observeBack, observeLog } from './front-metrics.ts'
import { createGate, createHostRule, type GateRule } from './gate.ts'
import { listen, listenOnSocket } from './listen.ts'
import { createBackProxy } from './proxy.ts'
import { refuse } from './refuse.ts'
import {
  FEEDBACK_WIDGET_PATH,
  openReporterScript,
  readReportDialog,
  REPORTER_PATH,
  type ReporterScript,
} from './reporter-script.ts'
import { createRequestScopes, tellRequestId } from './request-scope.ts'
import { createSecurityTxt, SECURITY_TXT_PATHS } from './security-txt.ts'

/** Which part answers a request at the public port: the probes, the reporter's script, the documentation, ingest, or the back. */
type FrontRouteParts = {
  /** Returns false when the path is none of its own. */
  readonly ingest: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Undefined: no back belongs to this start. */
  readonly forward: ((req: IncomingMessage, res: ServerResponse) => void) | undefined
  readonly reporterScript: ReporterScript
  readonly feedbackWidget: ReporterScript
  /** Undefined: this start has no screens, and no pages about them. */
  readonly docsSite: DocsSite | undefined
  readonly securityTxt: (req: IncomingMessage, res: ServerResponse) => void
  /** Why no load balancer should send here, as far as the front knows; undefined: nothing speaks against it. */
  readonly notReady: () => string | undefined
  /** Returns false when the one who asks may not know. */
  readonly metrics: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Looked at before the back is asked: SDKs send to many names, and probes come by address. */
  readonly hostRule: GateRule
}

export function createFrontRoutes({
  ingest,
  forward,
  reporterScript,
  feedbackWidget,
  docsSite,
  securityTxt,
  notReady,
  metrics,
  hostRule,
}: FrontRouteParts) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    // Its answers say the id themselves: headers made beforehand cost an answer more than the id does.
    if (ingest(req, res)) return
    tellRequestId(res)
    // It lives. What a new process would not mend (a full disk, a server that is away) is for /readyz to say.
    if (path === '/healthz') return answer(res, 200, 'ok\n')
    if (path === REPORTER_PATH) return reporterScript(req, res)
    if (path === FEEDBACK_WIDGET_PATH) return feedbackWidget(req, res)
    if (SECURITY_TXT_PATHS.includes(path)) return securityTxt(req, res)
    if (path === '/metrics') return metrics(req, res) ? undefined : answer(res, 404, 'not found\n')
    if (path === '/readyz') {
      const reason = notReady()
      if (reason !== undefined) return answer(res, 503, `${reason}\n`)
      return forward ? forward(req, res) : answer(res, 200, 'ok\n')
    }
    const misdirected = hostRule(req)
    if (misdirected) return refuse(req, res, misdirected)
    if (docsSite && (path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`))) return docsSite(req, res)
    if (forward) forward(req, res)
    else answer(res, 404, 'This Sonde only accepts events: SONDE_ROLES names ingest alone.\n')
  }
}

const SMALL = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

function answer(res: ServerResponse, status: number, text: string): void {
  const again = status === 503 ? { 'retry-after': '2' } : {}
  res.writeHead(status, { ...SMALL, ...again, 'content-type': 'text/plain; charset=utf-8' })
  res.end(text)
}

/** What else of this program the front needs to know about. */
export type FrontFiles = {
  readonly back: BackScript
  /** Folder of the built reporter. */
  readonly reporter: string
  /** Folder of the built documentation. */
  readonly docs: string
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
  readonly ending: Ending
  readonly log: ProcessLog
  readonly tracer: Tracer
}

export type FrontParts = {
  readonly folder: void
  readonly log: LogWriter
  readonly keys: Engines['keys']
  /** Undefined: what is accepted needs no room on this machine. */
  readonly disk: DiskGuard | undefined
  /** Of ingest processes that share a log; undefined: there is one only. */
  readonly bus: Bus | undefined
  readonly ingest: Ingest
  readonly proxy: ReturnType<typeof createBackProxy>
  readonly port: {
    readonly url: string
    readonly port: number
    /** Why this front is not ready. */
    readonly notReady: () => string | undefined
    readonly stop: () => Promise<void>
  }
  /** Gives the log level that was set here to the back, once that runs: a new one begins with the configured one. */
  readonly internal: { readonly setLevelOfBack: () => Promise<void> }
  readonly grpc: void
  /** Undefined where no other start can be. */
  readonly node: AnnouncedNode | undefined
  readonly back: BackSupervisor
  readonly drain: void
}

// Together below the 10 s that a service manager usually grants besides SONDE_DRAIN_SECONDS.
const REQUESTS_GRACE_MS = 3_000
const BACK_GRACE_MS = 6_000
const LEAVE_WITHIN_MS = 1_000

// What the back gives back to the system at once, and what it keeps for the next time: measured in docs/internals/memory.md. Its heap of
// 38 MB was collected whenever it had grown by 4, some hundred events of 50 kB; it may grow by more than half.
const BACK_HEAP = ['--max-semi-space-size=8', '--heap-growing-percent=60']
const BACK_MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  MALLOC_MMAP_THRESHOLD_: '1048576',
}

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
      if (!keepsDataOnDisk(config)) return undefined
      const disk = startDiskGuard(config.dataDir, config.freeShares, logger)
      onStop(() => disk.stop())
      return disk
    },
  }),
  module({
    name: 'bus',
    needs: ['folder'],
    roles: ['ingest'],
    async start(_, { config, logger, onStop }) {
      if (!('url' in config.engines.log)) return undefined
      const { bus, close } = await openEngines(config.engines, ['bus'], { logger })
      onStop(close)
      return bus
    },
  }),
  module({
    name: 'ingest',
    needs: ['log', 'keys', 'disk', 'bus'],
    roles: ['ingest'],
    start({ log, keys, disk, bus }, { config, files, clock, logger, metrics, tracer, onStop }) {
      const { region, regions, trustProxy } = config
      const limits = { attachmentBytes: config.maxAttachmentBytes, spikes: config.spikes }
      const ingest = createIngest({
        log: traceLog(log, tracer),
        keys,
        region,
        regions,
        trustProxy,
        limits,
        ...(disk && { diskSpace: disk.space }),
        clock,
        logger,
        metrics,
        ...(bus && { bus }),
        reportDialog: readReportDialog(files.reporter),
      })
      onStop(() => ingest.stop())
      return ingest
    },
  }),
  module({
    name: 'proxy',
    needs: ['folder'],
    roles: ['pipeline', 'web', 'alerts', 'maintain'],
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
    roles: ['ingest', 'pipeline', 'web', 'alerts', 'maintain'],
    async start(
      { log, disk, ingest, proxy },
      { config, files, clock, metrics, log: processLog, tracer, ending, roles, onStop },
    ) {
      const { securityContact, publicUrl, isBehindProxy, paths, metricsToken, host } = config
      observeProcess(metrics, 'front', processLog)
      observeDisk(metrics, config.dataDir)
      const notReady = (): string | undefined => {
        if (ending.isEnding()) return 'this Sonde is stopping'
        if (log && !log.stats().accepting) return 'the log cannot be written'
        if (disk?.space() === 'too-little') return 'too little of the disk is free'
        // With a back the records are that one's to open.
        if (ingest && !proxy && !ingest.knowsKeys()) return 'the project keys were not read yet'
        return undefined
      }
      const routes = createFrontRoutes({
        ingest: ingest?.handle ?? (() => false),
        forward: proxy?.forward,
        reporterScript: openReporterScript(files.reporter),
        feedbackWidget: openReporterScript(files.reporter, FEEDBACK_WIDGET_PATH),
        docsSite: roles.has('web') ? openDocsSite(files.docs) : undefined,
        securityTxt: createSecurityTxt({
          contact: securityContact,
          publicUrl: isBehindProxy ? publicUrl : undefined,
          clock,
        }),
        notReady,
        metrics: createMetricsEndpoint({
          metrics,
          internalSocket: paths.internalSocket,
          token: metricsToken,
        }),
        hostRule: createHostRule(config),
      })
      const gate = createGate(routes)
      const inRequest = createRequestScopes(createProxyTrust(config.trustProxy), tracer)
      const handler: typeof gate = (req, res) => {
        // The next request goes to another node.
        if (ending.isEnding()) res.shouldKeepAlive = false
        inRequest(req, res, () => gate(req, res))
      }
      const listening = await listen(handler, { host, port: config.port })
      const stop = (): Promise<void> => listening.stop(REQUESTS_GRACE_MS, ending.hurried)
      onStop(stop)
      const { port } = listening
      return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, notReady, stop }
    },
  }),
  module({
    name: 'internal',
    needs: ['port'],
    uses: ['ingest'],
    roles: ['ingest', 'pipeline', 'web', 'alerts', 'maintain'],
    async start({ ingest }, { config: { paths }, log, onStop }) {
      const control = createLogControl(log)
      const inBack = async (body: string): Promise<Readonly<Record<string, LogLevelState>>> => {
        const text = await askBack(paths.internalSocket, 'POST', LOG_LEVEL_PATH, { body, timeoutMs: 2_000 })
        return text === undefined ? {} : (JSON.parse(text) as Readonly<Record<string, LogLevelState>>)
      }
      const routes = createInternalRoutes(
        logRoutes(control, inBack, 'front', () => ({ clockAheadMs: ingest?.clockAheadMs() })),
      )
      const socket = await listenOnSocket(routes, paths.frontSocket)
      onStop(async () => {
        control.stop()
        await socket.stop(0)
      })
      return {
        async setLevelOfBack() {
          const change = changeFrom(control.state())
          if (change !== undefined) await inBack(change)
        },
      }
    },
  }),
  module({
    name: 'grpc',
    needs: ['ingest'],
    roles: ['ingest'],
    async start({ ingest }, { config, logger, onStop }) {
      const { otlpGrpcPort, host } = config
      if (otlpGrpcPort === undefined) return
      const { startOtlpGrpc } = await import('./otlp-grpc.ts')
      const grpc = await startOtlpGrpc({ ingest, host, port: otlpGrpcPort })
      onStop(() => grpc.stop())
      logger.info({ host, port: grpc.port }, 'OTLP over gRPC is accepted')
    },
  }),
  module({
    name: 'node',
    needs: ['port'],
    roles: ['ingest', 'pipeline', 'web', 'alerts', 'maintain'],
    async start({ port: { port, notReady } }, { config, clock, logger, roles, ending, onStop }) {
      const { nodes: registry, close } = await openEngines(config.engines, ['nodes'], { logger })
      if (!registry) return undefined
      const { isEnding } = ending
      const { dataDir } = config
      const node = await announceNode({ registry, port, notReady, roles, dataDir, clock, logger, isEnding })
      // Records that are away must not keep a stop waiting: the row then goes by itself.
      onStop(() => Promise.race([node.stop().then(close), sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]))
      return node
    },
  }),
  module({
    name: 'back',
    // The others know of this start before it opens the secret key: a rotation waits for nobody that it does not see.
    needs: ['port', 'node', 'internal'],
    uses: ['log'],
    roles: ['pipeline', 'web', 'alerts', 'maintain'],
    start(
      { port: { port, url }, node, internal, log },
      { config, files, events, logger, metrics, ending, onStop },
    ) {
      const back = superviseBack({
        script: files.back.path,
        execArgv: [...BACK_HEAP, ...files.back.execArgv],
        // The back writes DSNs and links: it must know the port that was really taken. The telemetry engine can hold
        // three of libuv's four threads, and password hashing and files wait for the fourth.
        env: { ...BACK_MALLOC, ...process.env, PORT: String(port), UV_THREADPOOL_SIZE: '8' },
        logger,
        append: async (...record) => {
          if (!log) throw new Error(NO_LOG)
          await log.append(...record)
        },
        roll: async () => {
          if (!log?.roll) throw new Error(NO_LOG)
          return log.roll()
        },
        onReady(notices) {
          internal
            .setLevelOfBack()
            .catch((err: unknown) => logger.warn({ err }, 'the back did not take the log level'))
          events.onReady(url, notices)
        },
        onFirstStartFailed: events.onFirstStartFailed,
      })
      onStop(() => back.stop(BACK_GRACE_MS, ending.hurried))
      observeBack(metrics, back.state)
      node?.has({ state: back.state, pid: back.pid, parts: () => partsOfBack(config.paths.internalSocket) })
      return back
    },
  }),
  module({
    name: 'drain',
    needs: ['port'],
    uses: ['back'],
    roles: ['ingest', 'pipeline', 'web', 'alerts', 'maintain'],
    start({ port }, { config, ending, onStop }) {
      onStop(async () => {
        await ending.drained()
        // With a load balancer requests go elsewhere, and those that run shall end before the back does. Without one
        // there is no other place: events are accepted for as long as the back takes to stop.
        if (config.drainMs > 0) await port.stop()
      })
    },
  }),
]

// With segment files every role runs in one start; with NATS the back appends by itself.
const NO_LOG = 'this Sonde does not write the log: SONDE_ROLES does not name ingest'

async function partsOfBack(socket: string): Promise<readonly PartReport[]> {
  const parts = await askBack(socket, 'GET', '/-/parts', { timeoutMs: 2_000 })
  return parts === undefined ? [] : (JSON.parse(parts) as readonly PartReport[])
}
