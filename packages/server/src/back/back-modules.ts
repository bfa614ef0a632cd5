/**
 * The modules of the back process, in the order in which they start; they stop in reverse. How the list works:
 * `../modules.ts`.
 */
import { mkdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { createAccess } from '@sonde/access'
import { createMailer, createPusher, startAlerts } from '@sonde/alerts'
import { createApi, createLive } from '@sonde/api'
import type { Topics } from '@sonde/base'
import { changeDeadLetters, startUploads, testChannel, testPush } from '@sonde/commands'
import { SPIKE_HOUR } from '@sonde/ingest'
import { forgetLeases, tryLease, watchRecords } from '@sonde/jobs'
import { lockLog } from '@sonde/log'
import { createMcp } from '@sonde/mcp'
import { createOutgoing } from '@sonde/outgoing'
import {
  type Committed,
  createIssueMoves,
  deadLetters,
  startMoves,
  startStoreHeld,
  startOwners,
  startReprocessing,
} from '@sonde/pipeline'
import { detect } from '@sonde/pipeline/detect'
import { groupStored } from '@sonde/pipeline/grouping'
import { previewScrub, tryStored } from '@sonde/pipeline/scrub'
import { openEngines, sweepBlobs } from '@sonde/stores'
import { openDataDir } from '../data-dir.ts'
import { lookAtLog } from '../doctor/look-at-log.ts'
import { startDoctor } from '../doctor/start-doctor.ts'
import { listenOnSocket } from '../front/listen.ts'
import { appendThroughFront } from '../internal/append-through-front.ts'
import { clientAddress } from '../internal/client-headers.ts'
import { logRoutes } from '../internal/log-control.ts'
import { moduleOf } from '../modules.ts'
import { observeDeadLetters, observeEngine } from '../observe/observe-process.ts'
import { observeStatements } from '../observe/statements.ts'
import { openSecret } from '../secret/open-secret.ts'
import { VERSION } from '../version.ts'
import { backupPlanRoutes } from './answer-backup-plan.ts'
import { backupRoutes } from './answer-backup.ts'
import { verdictRoute } from './answer-verdict.ts'
import { gatedEngines, startBackups } from './back-backups.ts'
import { createBackHandler } from './back-handler.ts'
import type { BackParts, BackTools } from './back-parts.ts'
import { BACKUP_PLAN } from './backup-module.ts'
import { changedIssues } from './changed-issues.ts'
import { EXPORTS } from './export-module.ts'
import { exportRoutes } from './export-routes.ts'
import { firstStart } from './first-start.ts'
import { LOG_CONTROL, READINESS, TLS_WATCH } from './health-modules.ts'
import { createInternalRoutes } from './internal-routes.ts'
import { createOauthMetadata } from './oauth-metadata.ts'
import { observeLag } from './observe-lag.ts'
import { personRoutes } from './person-routes.ts'
import { appendToNats, deadLetterActions, replayRoute } from './replay.ts'
import { serveScreens } from './screens.ts'
import { openSelfReport } from './self-report.ts'
import { startDeletionJobs } from './start-deletion-jobs.ts'
import { startErasing } from './start-erasing.ts'
import { startProcessing } from './start-processing.ts'
import { createSubmitReport } from './submit-report.ts'
import { createSendTestEvent, frontUrlOf } from './test-event.ts'
import { withVisible } from './visible-engines.ts'

// Nothing of a statement takes longer than its 10.5 s but what is asked before it.
const CONSOLE_LEASE_MS = 20_000
// What a request may take that runs while Sonde stops.
const REQUESTS_GRACE_MS = 2_000

const module = moduleOf<BackParts, BackTools>()

export const BACK_MODULES = [
  module({
    name: 'folder',
    needs: [],
    roles: [],
    start(_, { config, logger, onStop }) {
      openDataDir(config.dataDir, logger)
      // A log in the folder locks it; without one, two of these would still take each other's sockets.
      if ('url' in config.engines.log) {
        mkdirSync(config.paths.log, { recursive: true })
        onStop(lockLog(config.paths.log, 'consumer', ''))
      }
    },
  }),
  module({
    name: 'log',
    needs: ['folder'],
    roles: ['pipeline'],
    async start(_, { config, logger, clock, onStop }) {
      const { logReaders, close } = await openEngines(config.engines, ['logReaders'], { logger, clock })
      onStop(close)
      return logReaders
    },
  }),
  module({
    name: 'engines',
    needs: ['folder'],
    uses: ['log'],
    roles: [],
    async start({ log }, { config, files, clock, logger, metrics, tracer, slow, onStop }) {
      const { retentionDays } = config
      const consoleEntry = pathToFileURL(files.consoleProcess)
      const {
        records,
        telemetry: engine,
        blobs,
        close,
      } = await openEngines(config.engines, ['records', 'telemetry', 'blobs'], {
        logger,
        clock,
        records: { isChecked: true },
        telemetry: { retentionDays, consoleEntry },
      })
      onStop(close)
      if ('dir' in config.engines.telemetry) observeEngine(metrics, engine)
      const telemetry = observeStatements(engine, { tracer, metrics, slow, nowMs: clock.nowMs })
      // A log that is not shared has one reader at a time: while this process is it, what others of this data folder left is
      // of the dead. Leases in records on a server may be of another node.
      const isAlone = log !== undefined && !log.isShared
      if (isAlone && 'file' in config.engines.records) await forgetLeases(records.db)
      if (isAlone) await sweepBlobs(config.engines.blobs)
      return {
        ...withVisible(records, gatedEngines({ telemetry, blobs }, config)),
        ...(records.version && { watch: watchRecords(records.version, clock) }),
      }
    },
  }),
  module({
    name: 'backups',
    needs: ['engines', 'log'],
    roles: ['pipeline'],
    start: ({ engines }, tools) => startBackups(engines, tools),
  }),
  module({
    name: 'outgoing',
    needs: [],
    roles: [],
    start(_, { config, onStop }) {
      const userAgent = `Sonde/${VERSION} (+${config.publicUrl})`
      const outgoing = createOutgoing({ allowed: config.outgoingAllow, userAgent })
      onStop(() => outgoing.close())
      return outgoing
    },
  }),
  module({
    name: 'access',
    needs: ['engines', 'outgoing'],
    roles: [],
    async start({ engines: { opened, visible }, outgoing }, { config, clock, logger }) {
      const secret = await openSecret(opened, config.secretFile, logger)
      const { publicUrl, localOrigins: trustedOrigins } = config
      const hasMail = config.mail !== undefined
      return createAccess({
        records: visible.records,
        secret,
        publicUrl,
        clock,
        logger,
        trustedOrigins,
        clientAddress,
        hasMail,
        outgoing,
      })
    },
  }),
  BACKUP_PLAN,
  module({
    name: 'channels',
    needs: ['access', 'outgoing'],
    roles: [],
    start: ({ access: { seal }, outgoing }) => ({ outgoing, seal }),
  }),
  module({
    name: 'pusher',
    needs: ['engines', 'channels'],
    roles: [],
    async start({ engines: { records }, channels: { outgoing, seal } }, { config: { publicUrl } }) {
      const pusher = createPusher({ records, seal, outgoing, publicUrl })
      // Made once, now: a page that is looked at changes nothing.
      await pusher.publicKey()
      return pusher
    },
  }),
  module({
    name: 'deletions',
    needs: ['engines', 'access'],
    roles: ['maintain'],
    start({ engines, access }, { config, clock, logger, bus, tracer, onStop }) {
      const jobs = startDeletionJobs(engines, access, { config, clock, logger, bus, tracer })
      onStop(() => jobs.stop())
      return jobs
    },
  }),
  module({
    name: 'uploads',
    needs: ['engines'],
    roles: ['maintain'],
    start({ engines: { visible, blobs } }, { config, files, clock, logger, bus, tracer, roles, onStop }) {
      const uploads = startUploads({
        records: visible.records,
        blobs,
        clock,
        logger,
        bus,
        tracer,
        onArtifacts: () => bus.publish('job.wake', { job: 'reprocessing' }),
        quotaBytes: config.artifactQuotaBytes,
        inspectorEntry: pathToFileURL(files.inspectWorker),
        assembles: roles.has('maintain'),
      })
      onStop(() => uploads.stop())
      return uploads
    },
  }),
  module({
    name: 'commands',
    needs: ['engines', 'access', 'channels', 'uploads'],
    roles: [],
    start: (
      { engines: { records, visible, telemetry, blobs }, access, channels: trackers, uploads },
      { config, clock, bus },
    ) => ({
      records: visible.records,
      blobs,
      issueMoves: createIssueMoves({ records, telemetry, clock }),
      onMoves: () => bus.publish('job.wake', { job: 'issue-moves' }),
      onErasure: () => bus.publish('job.wake', { job: 'erasures' }),
      hasExportPlace: config.exports.to !== undefined,
      onExport: () => bus.publish('job.wake', { job: 'exports' }),
      onOwnership: () => bus.publish('job.wake', { job: 'owners' }),
      access,
      trackers,
      models: { outgoing: trackers.outgoing, asking: new Map() },
      uploads,
      clock,
      onDeletion: () => bus.publish('job.wake', { job: 'deletions' }),
      onInbox: (userId) => bus.publish('inbox.changed', { users: [userId] }),
      onArtifacts: () => bus.publish('job.wake', { job: 'reprocessing' }),
    }),
  }),
  module({
    name: 'firstStart',
    needs: ['commands'],
    roles: ['web', 'pipeline'],
    start: ({ commands }, { config }) => firstStart(commands, config),
  }),
  module({
    name: 'selfReport',
    needs: ['commands', 'firstStart'],
    roles: [],
    start: ({ commands }, { config, bus, logger }) => openSelfReport({ ...commands, bus, logger }, config),
  }),
  module({
    name: 'pipeline',
    needs: ['engines', 'log'],
    roles: ['pipeline'],
    async start({ engines, log }, { config, files, clock, logger, metrics, tracer, bus, onStop }) {
      observeLag(metrics, log, clock)
      const onCommit = (committed: Committed): void => bus.publish('issues.changed', changedIssues(committed))
      const pipeline = await startProcessing(engines, log, {
        config,
        files,
        clock,
        logger,
        metrics,
        tracer,
        onCommit,
      })
      metrics.observed(
        'sonde_pipeline_partitions',
        'Partitions of the log that this process works on',
        () => pipeline.state().partitions.length,
      )
      onStop(() => pipeline.stop())
      return pipeline
    },
  }),
  module({
    name: 'reprocessing',
    // It reads events anew with the pipeline's threads, and rests by how much that one commits.
    needs: ['engines', 'pipeline'],
    roles: ['pipeline'],
    start({ engines, pipeline }, { clock, logger, bus, tracer, onStop }) {
      const job = startReprocessing({
        ...engines,
        clock,
        logger,
        bus,
        tracer,
        pipeline,
        onChange: (change) => bus.publish('issues.changed', changedIssues(change)),
      })
      onStop(() => job.stop())
      return job
    },
  }),
  module({
    name: 'erasures',
    // What was acknowledged is stored before it is erased.
    needs: ['engines', 'pipeline', 'log'],
    roles: ['pipeline'],
    start({ engines, log }, { config: { retentionDays }, clock, logger, bus, onStop }) {
      const job = startErasing({ ...engines, clock, logger, bus, retentionDays }, log)
      onStop(() => job.stop())
      return job
    },
  }),
  module({
    name: 'issueMoves',
    needs: ['engines', 'pipeline'],
    roles: ['pipeline'],
    start({ engines, pipeline }, { clock, logger, bus, tracer, onStop }) {
      const shared = {
        ...engines,
        clock,
        logger,
        bus,
        tracer,
        onChange: (change: Topics['issues.changed']) => bus.publish('issues.changed', changedIssues(change)),
      }
      const moves = startMoves({ ...shared, pipeline })
      onStop(() => moves.stop())
      // It holds a project as those who ask for moves do.
      const held = startStoreHeld(shared)
      onStop(() => held.stop())
      return moves
    },
  }),
  module({
    name: 'owners',
    // It rests by how much the pipeline commits.
    needs: ['engines', 'pipeline'],
    roles: ['pipeline'],
    start({ engines, pipeline }, { clock, logger, bus, tracer, onStop }) {
      const job = startOwners({
        ...engines,
        clock,
        logger,
        bus,
        tracer,
        pipeline,
        onAssigned: (project, issues) =>
          bus.publish(
            'issues.changed',
            changedIssues({ projects: [project], issues, created: [], regressed: [] }),
          ),
      })
      onStop(() => job.stop())
      return job
    },
  }),
  module({
    name: 'alerts',
    needs: ['engines', 'access', 'channels', 'pusher'],
    roles: ['alerts'],
    start(
      { engines: { visible, watch }, access, channels, pusher },
      { config, clock, logger, bus, tracer, roles, onStop },
    ) {
      const { publicUrl, mail, spikeFloor } = config
      // A log of files is another start's, unless the pipeline runs here.
      const isLogHere = 'url' in config.engines.log || roles.has('pipeline')
      const mailer = mail && createMailer({ ...mail, publicUrl })
      const alerts = startAlerts({
        ...visible,
        ...(watch && { watch }),
        access,
        channels,
        mailer,
        pusher,
        publicUrl,
        spikeFloor,
        clock,
        logger,
        bus,
        tracer,
        lagMs: async () => (isLogHere ? (await lookAtLog(config.engines.log, clock)).waiting.oldestAgeMs : 0),
      })
      onStop(async () => {
        await alerts.stop()
        await mailer?.close()
      })
      return alerts
    },
  }),
  module({
    name: 'queries',
    needs: ['engines'],
    uses: ['pipeline'],
    roles: [],
    start: ({ engines: { records, visible }, pipeline }, { config, clock }) => ({
      ...visible,
      clock,
      tryStored,
      publicUrl: config.publicUrl,
      retentionDays: config.retentionDays,
      ...(pipeline && { resolvePositions: pipeline.resolvePositions }),
      // On a server other nodes run statements too.
      ...('url' in config.engines.telemetry && {
        takeConsoleSlot: () => tryLease({ records, clock, name: 'sql console', leaseMs: CONSOLE_LEASE_MS }),
      }),
    }),
  }),
  module({
    name: 'dead',
    needs: ['engines'],
    roles: [],
    start({ engines: { records, blobs } }, { config, clock, logger, metrics, onStop }) {
      observeDeadLetters(metrics, records)
      const letters = deadLetters({ records, blobs, clock })
      const append =
        'url' in config.engines.log ? appendToNats(config, logger, onStop) : appendThroughFront(process)
      return { letters, actions: deadLetterActions(letters, append) }
    },
  }),
  EXPORTS,
  TLS_WATCH,
  LOG_CONTROL,
  READINESS,
  module({
    name: 'doctor',
    needs: ['engines', 'tls', 'dead', 'logControl'],
    uses: ['pipeline'],
    roles: [],
    start: (parts, { config, clock, slow }) => startDoctor(parts, config, clock, slow),
  }),
  module({
    name: 'live',
    needs: ['engines'],
    roles: ['web'],
    start: ({ engines }, { bus, logger }) => createLive({ bus, records: engines.visible.records, logger }),
  }),
  module({
    name: 'screens',
    needs: ['engines', 'access', 'channels', 'pusher', 'commands', 'queries', 'dead', 'doctor', 'selfReport'],
    uses: ['backupPlan'],
    roles: ['web'],
    async start(parts, { config, files, clock, logger, onStop }) {
      const { engines, access, channels, pusher, commands, queries, dead, doctor, selfReport } = parts
      const { publicUrl, retentionDays, auditRetentionDays, spikes, newcomers } = config
      const { blobs } = engines
      const screens = await serveScreens(files, config, logger, {
        access,
        blobs,
        queries,
        commands,
        publicUrl,
        clock,
        clientAddress,
        previewScrub,
        detectSpans: detect,
        groupStored,
        hasMail: config.mail !== undefined,
        testChannel: (grant, input) => testChannel({ ...commands, channels }, grant, input),
        pushKey: () => pusher.publicKey(),
        testPush: (viewer, input) => testPush({ ...commands, pusher }, viewer, input),
        sendTestEvent: createSendTestEvent({ ...commands, clock, logger, frontUrl: frontUrlOf(config) }),
        retentionDays,
        auditRetentionDays,
        spikes: {
          ...spikes,
          ...(newcomers.issue === undefined ? {} : { issues: newcomers.issue }),
          ...(newcomers.release === undefined ? {} : { releases: newcomers.release }),
          hourTimes: SPIKE_HOUR,
        },
        selfReport,
        operator: {
          status: doctor.operatorStatus,
          disk: doctor.disk,
          backups: parts.backupPlan,
          lookAtDead: dead.letters.look,
          changeDead: (grant, change, ids) => changeDeadLetters(commands, dead.actions, grant, change, ids),
        },
      })
      onStop(() => screens.close())
      return screens
    },
  }),
  module({
    name: 'api',
    needs: ['engines', 'access', 'channels', 'commands', 'queries', 'live'],
    roles: ['web'],
    start({ engines: { blobs }, ...parts }, { config, logger }) {
      const { publicUrl, localOrigins: trustedOrigins, apiLimits: limits } = config
      const submitReport = createSubmitReport({ logger, frontUrl: frontUrlOf(config) })
      return createApi({
        ...parts,
        blobs,
        publicUrl,
        version: VERSION,
        trustedOrigins,
        logger,
        clientAddress,
        limits,
        submitReport,
      })
    },
  }),
  module({
    name: 'mcp',
    needs: ['access', 'commands', 'queries'],
    roles: ['web'],
    start(parts, { config: { publicUrl, localOrigins: trustedOrigins }, logger }) {
      return createMcp({ ...parts, publicUrl, trustedOrigins, logger, version: VERSION })
    },
  }),
  module({
    name: 'sockets',
    needs: ['engines', 'tls', 'readiness', 'dead', 'doctor', 'logControl'],
    uses: ['backups', 'access', 'queries', 'commands', 'screens', 'api', 'mcp', 'live'],
    roles: ['pipeline', 'web', 'maintain'],
    async start(parts, { config, clock, metrics, tracer, onStop }) {
      const { engines, backups, tls, readiness, dead, doctor, logControl } = parts
      const { access, queries, commands, screens, api, mcp, live } = parts
      const json = 'application/json'
      const internal = createInternalRoutes([
        { method: 'GET', path: '/-/metrics', contentType: 'text/plain', answer: () => metrics.text() },
        { method: 'GET', path: '/-/doctor', contentType: json, answer: doctor.answer },
        {
          method: 'GET',
          path: '/-/parts',
          contentType: json,
          answer: async () => JSON.stringify(doctor.parts()),
        },
        replayRoute({ records: engines.records, clock }, dead.actions),
        ...backupRoutes(backups),
        ...backupPlanRoutes({ records: engines.records, clock }, config),
        ...logRoutes(logControl, async () => ({}), 'back'),
        ...(access && queries ? [verdictRoute(access, queries)] : []),
        ...(access && queries && commands
          ? [
              ...personRoutes({ access, queries, commands, blobs: engines.blobs }),
              ...exportRoutes({ access, queries, commands, config }),
            ]
          : []),
      ])
      const web = screens &&
        api &&
        mcp &&
        access && {
          api: api.fetch,
          mcp,
          auth: access.handler,
          oauthMetadata: createOauthMetadata(config.publicUrl),
          screens: screens.handle,
        }
      const sockets = [
        await listenOnSocket(internal, config.paths.internalSocket),
        await listenOnSocket(createBackHandler({ tls, tracer, readiness, web }), config.paths.backSocket),
      ]
      for (const socket of sockets) onStop(() => socket.stop(REQUESTS_GRACE_MS))
      // First: a stop does not wait for those who listen.
      if (live) onStop(() => live.close())
    },
  }),
]
