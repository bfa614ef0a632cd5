/**
 * The back process: stores, pipeline, access, `/api/0` and screens. Everything is built here, in the order in which
 * it starts; it stops in reverse.
 */
import { pathToFileURL } from 'node:url'
import { createAccess } from '@sonde/access'
import { createApi, createLive } from '@sonde/api'
import {
  createLocalBus,
  createLogger,
  createMetrics,
  createStopStack,
  systemClock,
  type Topics,
} from '@sonde/base'
import { changeDeadLetters, startDeletions, startUploads } from '@sonde/commands'
import { SPIKE_HOUR } from '@sonde/ingest'
import { forgetLeases } from '@sonde/jobs'
import { deadLetters, DEFAULT_DIGEST_SETTINGS, startPipeline, startRepairs } from '@sonde/pipeline'
import { previewScrub } from '@sonde/pipeline/scrub'
import { openEngines, sweepBlobs } from '@sonde/stores'
import type { Config } from '../config/config.ts'
import { dataDirPart, openDataDir } from '../data-dir.ts'
import { examine } from '../doctor/examine.ts'
import { createDiskUsage } from '../doctor/disk-usage.ts'
import { createProcessFigures } from '../doctor/process-figures.ts'
import { createOperatorStatus } from '../doctor/operator-status.ts'
import { listenOnSocket } from '../front/listen.ts'
import { appendThroughFront } from '../internal/append-through-front.ts'
import { clientAddress } from '../internal/client-headers.ts'
import { programFiles } from '../program-files.ts'
import { openSecret } from '../secret/open-secret.ts'
import { createBackHandler } from './back-handler.ts'
import { firstStart } from './first-start.ts'
import { createInternalRoutes } from './internal-routes.ts'
import { openSelfReport } from './self-report.ts'
import { pipelinePart } from './pipeline-part.ts'
import { deadLetterActions, replayDeadLetters } from './replay.ts'
import { serveScreens } from './screens.ts'
import { createTlsWatch } from './tls-watch.ts'
import { createSendTestEvent, frontUrlOf } from './test-event.ts'

export type RunningBack = { readonly notices: readonly string[]; readonly stop: () => Promise<void> }

const REQUESTS_GRACE_MS = 2_000

export async function startBack(config: Config): Promise<RunningBack> {
  const { paths, publicUrl } = config
  const logger = createLogger('back', config.logLevel)
  const metrics = createMetrics()
  const clock = systemClock
  const files = programFiles()
  const bus = createLocalBus(logger)
  const stops = createStopStack(logger)
  try {
    openDataDir(config.dataDir, logger)
    const engines = await openEngines(config.engines, ['records', 'telemetry', 'blobs', 'logReader'], {
      logger,
      clock,
      telemetry: {
        retentionDays: config.retentionDays,
        consoleEntry: pathToFileURL(files.consoleProcess),
      },
    })
    stops.push('engines', () => engines.close())
    const { telemetry, blobs, logReader: log } = engines
    const records = engines.records.db
    // Only one Sonde at a time has the data folder: what holds a lease in it died.
    await forgetLeases(records)
    await sweepBlobs(config.engines.blobs)

    const trustedOrigins = config.localOrigins
    const secret = await openSecret(engines.records, config.secretFile, logger)
    const access = createAccess({ records, secret, publicUrl, clock, logger, trustedOrigins, clientAddress })
    const { retentionDays, artifactRetentionDays } = config
    const kept = { retentionDays, artifactRetentionDays }
    const deletions = startDeletions({ records, telemetry, blobs, clock, logger, bus, ...kept })
    stops.push('deletions', () => deletions.stop())
    const wake = (job: string) => () => bus.publish('job.wake', { job })
    const onArtifacts = wake('reprocessing')
    const uploads = startUploads({
      records,
      blobs,
      clock,
      logger,
      bus,
      onArtifacts,
      quotaBytes: config.artifactQuotaBytes,
      inspectorEntry: pathToFileURL(files.inspectWorker),
    })
    stops.push('uploads', () => uploads.stop())
    const commands = { records, access, clock, blobs, uploads, onDeletion: wake('deletions'), onArtifacts }
    const notices = await firstStart(commands, config)
    const selfReport = await openSelfReport({ ...commands, bus, logger }, config)

    const live = createLive({ bus, records, logger })
    const publishChange = ({ projects, issues, created, regressed }: Topics['issues.changed']): void =>
      bus.publish('issues.changed', { projects, issues, created, regressed })
    const pipeline = await startPipeline({
      log,
      records,
      telemetry,
      blobs,
      clock,
      logger,
      metrics,
      onCommit: publishChange,
      newcomers: config.newcomers,
      attachmentQuotaBytes: config.attachmentQuotaBytes,
      workers: {
        entry: pathToFileURL(files.digestWorker),
        settings: { ...DEFAULT_DIGEST_SETTINGS, retentionDays: config.retentionDays },
      },
    })
    stops.push('pipeline', () => pipeline.stop())
    const repairs = startRepairs({
      records,
      telemetry,
      clock,
      logger,
      bus,
      pipeline,
      onChange: publishChange,
    })
    stops.push('repairs', () => repairs.stop())
    const { resolvePositions } = pipeline
    const queries = { records, telemetry, clock, publicUrl, resolvePositions }

    const dead = deadLetters({ records, blobs, clock })
    const append = appendThroughFront(process)
    const tls = createTlsWatch(publicUrl, logger)
    const parts = () => [
      { name: 'back', state: 'ok' as const, detail: 'runs' },
      pipelinePart(pipeline.state(), clock),
      dataDirPart(config.dataDir),
      ...[tls.part() ?? []].flat(),
    ]
    const processes = createProcessFigures(
      [
        { name: 'front', pid: process.ppid },
        { name: 'back', pid: process.pid },
      ],
      clock,
    )
    const { attachmentQuotaBytes, freeShares } = config
    const limits = { attachmentQuotaBytes, freeShares }
    const examined = { records, telemetry, logDir: paths.log, clock, processes, limits }
    const diskUsage = createDiskUsage(config.dataDir, paths, clock)
    const actions = deadLetterActions(dead, append)

    const screens = await serveScreens(files, config, logger, {
      access,
      blobs,
      queries,
      commands,
      publicUrl,
      clock,
      clientAddress,
      previewScrub,
      sendTestEvent: createSendTestEvent({ records, clock, logger, frontUrl: frontUrlOf(config) }),
      retentionDays: config.retentionDays,
      spikes: {
        ...config.spikes,
        ...(config.newcomers.issue === undefined ? {} : { issues: config.newcomers.issue }),
        ...(config.newcomers.release === undefined ? {} : { releases: config.newcomers.release }),
        hourTimes: SPIKE_HOUR,
      },
      selfReport,
      operator: {
        status: createOperatorStatus({ ...examined, parts, dead, diskUsage }),
        lookAtDead: dead.look,
        changeDead: (grant, change, ids) => changeDeadLetters(commands, actions, grant, change, ids),
      },
    })
    stops.push('screens', () => screens.close())

    const json = 'application/json'
    const internal = createInternalRoutes([
      { method: 'GET', path: '/-/metrics', contentType: 'text/plain', answer: () => metrics.text() },
      {
        method: 'GET',
        path: '/-/doctor',
        contentType: json,
        answer: async () => JSON.stringify(await examine({ ...examined, parts: parts(), disk: diskUsage })),
      },
      {
        method: 'POST',
        path: '/-/dead/replay',
        contentType: json,
        answer: async (body) => JSON.stringify(await replayDeadLetters(commands, actions, body)),
      },
    ])
    const api = createApi({ access, queries, commands, blobs, publicUrl, trustedOrigins, logger, live })
    const handler = createBackHandler({ tls, api: api.fetch, auth: access.handler, screens: screens.handle })
    const sockets = [
      await listenOnSocket(internal, paths.internalSocket),
      await listenOnSocket(handler, paths.backSocket),
    ]
    for (const socket of sockets) stops.push('socket', () => socket.stop(REQUESTS_GRACE_MS))
    stops.push('live', () => live.close())
    return { notices, stop: stops.stopAll }
  } catch (error) {
    await stops.stopAll()
    throw error
  }
}
