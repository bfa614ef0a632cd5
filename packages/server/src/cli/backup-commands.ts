/** `sonde backup …` and `sonde restore`. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger, type Logger, systemClock } from '@sonde/base'
import { type CommandInput, note, print, table, UsageError } from '@sonde/cli'
import { openEngines } from '@sonde/stores'
import { type BackupAnswer, onServers } from '../back/answer-backup.ts'
import { makeBackupKey } from '../backup/backup-key.ts'
import type { BackupTarget } from '../backup/backup-messages.ts'
import { createBackupRunner } from '../backup/backup-runner.ts'
import { type BackupRunKind, notedRun } from '../backup/backup-runs.ts'
import type { BackupSummary, BackupProgress } from '../backup/manifest.ts'
import { findBackup, isAllHere, openTarget, readTarget, secretOfBackup } from '../backup/open-target.ts'
import { workDir } from '../backup/pin-snapshot.ts'
import { type KeepPolicy, pruneBackups } from '../backup/prune-backups.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { refuseUnfinishedRestore } from '../backup/restore-marker.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { createWriteGate } from '../backup/write-gate.ts'
import { type Config, readConfig } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { askBack } from '../internal/ask-back.ts'
import { errorOf } from '../internal/error-text.ts'
import { refuseMoved } from '../move/move-file.ts'
import { programFiles } from '../program-files.ts'
import { VERSION } from '../version.ts'
import { whileNothingRuns } from './while-nothing-runs.ts'

const STATE_EVERY_MS = 300
const SAY_EVERY_MS = 2_000

const askedOf = ({ text }: CommandInput) => ({
  to: text('to') ?? text('from'),
  keyFile: text('key-file'),
})

export async function create(input: CommandInput): Promise<number> {
  const config = readConfig()
  refuseMoved(config)
  refuseUnfinishedRestore(config.dataDir)
  if (!isAllHere(config.engines)) throw onServers()
  const logger = createLogger('cli', 'warn')
  const target = readTarget(askedOf(input), config)
  const summary = (await askRunning(config, target)) ?? (await createStopped(config, target, logger))
  const { pieces: _, manifest: __, format: ___, ...said } = summary
  if (input.flag('json'))
    print(JSON.stringify({ ok: true, to: target.name, encrypted: summary.recipients.length > 0, ...said }))
  else
    print(
      [
        `Backup ${said.id} is in ${target.name}${said.recipients.length > 0 ? '' : ', not encrypted'}.`,
        `${size(said.bytes)} of data, ${size(said.newBytes)} written in ${seconds(said.tookMs)}; stores were held for ${said.pausedMs} ms.`,
      ].join('\n'),
    )
  return 0
}

/** Undefined: nothing runs. */
async function askRunning(config: Config, target: BackupTarget): Promise<BackupSummary | undefined> {
  const { internalSocket } = config.paths
  // The back may run with other settings, in another folder: it gets what was read here.
  const body = JSON.stringify(target)
  if ((await askBack(internalSocket, 'POST', '/-/backup/create', { body })) === undefined) return undefined
  const say = progressLines()
  for (;;) {
    const text = await askBack(internalSocket, 'GET', '/-/backup/state')
    const answer = text === undefined ? undefined : (JSON.parse(text) as BackupAnswer)
    if (answer?.state === 'done') return answer.summary
    if (answer?.state === 'failed') throw errorOf('backup', answer.error)
    if (answer?.state !== 'running') throw new Error('Sonde ended before the backup was made: run this again')
    say(answer.running?.progress)
    await sleep(STATE_EVERY_MS)
  }
}

const RUNNING = {
  message: 'Sonde starts or stops just now',
  operation: 'back up',
  hint: 'try again in a moment',
} as const

async function createStopped(config: Config, target: BackupTarget, logger: Logger): Promise<BackupSummary> {
  if (!existsSync(config.paths.records)) throw new UsageError(`no Sonde has run in ${config.dataDir}`)
  openDataDir(config.dataDir, logger)
  return whileNothingRuns(config, logger, RUNNING, async () => {
    const { records, telemetry, close } = await openEngines(config.engines, ['records', 'telemetry'], {
      logger,
      telemetry: { retentionDays: config.retentionDays },
    })
    try {
      return await createBackupRunner({
        records: records.db,
        telemetry,
        gate: createWriteGate(),
        dataDir: config.dataDir,
        secretFile: secretOfBackup(config),
        version: VERSION,
        retentionDays: config.retentionDays,
        entry: programFiles().backupProcess,
        clock: systemClock,
        logger,
      }).run(target)
    } finally {
      await close()
    }
  })
}

export async function list(input: CommandInput): Promise<number> {
  const target = readTarget(askedOf(input), readConfig())
  const listed = await (await openTarget(target)).list()
  if (input.flag('json')) {
    const backups = listed.map(({ id, summary }) => {
      if (!summary) return { id, readable: false }
      const { pieces: _, manifest: __, format: ___, ...said } = summary
      return { readable: true, encrypted: said.recipients.length > 0, ...said }
    })
    print(JSON.stringify({ ok: true, from: target.name, backups }))
  } else if (listed.length === 0) print(`No backups in ${target.name}. \`sonde backup create\` makes one.`)
  else {
    const rows = listed.map(({ id, summary, isLater }) =>
      summary
        ? [
            id,
            new Date(summary.createdMs).toISOString(),
            summary.version,
            size(summary.bytes),
            size(summary.newBytes),
            summary.recipients.length > 0 ? 'yes' : 'no',
          ]
        : [id, '-', isLater ? 'a later one' : 'cannot be read', '-', '-', '-'],
    )
    print(table([['id', 'of', 'version', 'data', 'written', 'encrypted'], ...rows]))
  }
  return 0
}

export async function verify(input: CommandInput): Promise<number> {
  const config = readConfig()
  const logger = createLogger('cli', 'warn')
  process.umask(0o077)
  const target = readTarget(askedOf(input), config)
  const repository = await openTarget(target)
  const summary = await findBackup(repository, input.positionals[0])
  const say = progressLines()
  const verified = await noted(config, logger, { kind: 'verify', target: target.name }, () =>
    verifyBackup({
      repository,
      summary,
      isQuick: input.flag('quick'),
      tempDir: resolve(input.text('temp') ?? workDir(config.dataDir)),
      retentionDays: config.retentionDays,
      logger,
      onProgress: say,
    }),
  )
  if (input.flag('json')) print(JSON.stringify({ from: target.name, ...verified }))
  else if (verified.ok)
    print(
      verified.quick
        ? `All ${verified.pieces} files of backup ${verified.id} have their checksums.`
        : `Backup ${verified.id} was restored into a temporary folder: every table has its rows (${seconds(verified.tookMs)}).`,
    )
  else
    print(
      [
        `Backup ${verified.id} cannot be trusted:`,
        ...verified.damaged,
        ...verified.differences.map(
          ({ what, expected, found }) => `${what}: ${found} instead of ${expected}`,
        ),
      ].join('\n'),
    )
  return verified.ok ? 0 : 1
}

export async function prune(input: CommandInput): Promise<number> {
  const config = readConfig()
  process.umask(0o077)
  const target = readTarget(askedOf(input), config)
  const keep = keepOf(input)
  const remove = input.text('delete')?.split(',') ?? []
  if (!keep && remove.length === 0)
    throw new UsageError(
      'say what to keep: --keep-last N, --keep-daily N, --keep-weekly N, --keep-monthly N; or --delete ID',
    )
  const repository = await openTarget(target)
  const pruned = await noted(
    config,
    createLogger('cli', 'warn'),
    { kind: 'prune', target: target.name },
    () => pruneBackups(repository, { keep, remove }),
  )
  if (input.flag('json')) print(JSON.stringify({ ok: true, from: target.name, ...pruned }))
  else
    print(
      `${pruned.removed.length} backups removed, ${pruned.kept.length} kept, ${size(pruned.bytes)} freed.`,
    )
  return 0
}

function keepOf(input: CommandInput): KeepPolicy | undefined {
  const names = ['last', 'daily', 'weekly', 'monthly'] as const
  const given = names.flatMap((name) => {
    const text = input.text(`keep-${name}`)
    if (text === undefined) return []
    if (!/^\d{1,4}$/.test(text)) throw new UsageError(`--keep-${name} takes a whole number`)
    return [[name, Number(text)] as const]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

export async function restore(input: CommandInput): Promise<number> {
  const config = readConfig()
  if (!isAllHere(config.engines)) throw onServers()
  process.umask(0o077)
  const target = readTarget(askedOf(input), config)
  const repository = await openTarget(target)
  const summary = await findBackup(repository, input.positionals[0])
  const restored = await restoreBackup({
    repository,
    summary,
    dataDir: config.dataDir,
    secretFile: config.secretFile,
    retentionDays: config.retentionDays,
    logger: createLogger('cli', 'warn'),
    onProgress: progressLines(),
  })
  const { createdMs, version } = summary
  if (input.flag('json'))
    print(JSON.stringify({ ok: true, from: target.name, createdMs, version, ...restored }))
  else
    print(
      [
        `Restored ${restored.id} of ${new Date(createdMs).toISOString()} into ${config.dataDir}: ${size(restored.bytes)} in ${seconds(restored.tookMs)}.`,
        ...(restored.lacksSecret
          ? [
              `Put the secret key of that Sonde into ${config.secretFile} before you start: it was kept outside of the data.`,
            ]
          : []),
        'Start Sonde: it goes on with what waited in its log.',
      ].join('\n'),
    )
  return 0
}

export async function key({ need, flag }: CommandInput): Promise<number> {
  const out = need('out')
  const recipient = await makeBackupKey(resolve(out), new Date())
  if (flag('json')) print(JSON.stringify({ ok: true, file: resolve(out), recipient }))
  else
    print(
      `The key is in ${resolve(out)}. Keep a copy of it where the backups are not: without it nobody can restore them.\nPublic key: ${recipient}`,
    )
  return 0
}

/** In the records of the Sonde in this data folder, where there is one. */
async function noted<Result extends object>(
  config: Config,
  logger: Logger,
  run: { readonly kind: BackupRunKind; readonly target: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const { records: place } = config.engines
  if ('file' in place && !existsSync(place.file)) return work()
  const { records, close } = await openEngines(config.engines, ['records'], { logger })
  try {
    return await notedRun({ records: records.db, clock: systemClock }, run, work)
  } finally {
    await close()
  }
}

/** On standard error: the answer is on standard output. */
function progressLines(): (progress: BackupProgress | undefined) => void {
  let saidMs = performance.now()
  return (progress) => {
    if (!progress || performance.now() - saidMs < SAY_EVERY_MS) return
    saidMs = performance.now()
    note(`${size(progress.bytes)} of ${size(progress.ofBytes)}`)
  }
}

const size = (bytes: number): string =>
  bytes < 1e6
    ? `${(bytes / 1e3).toFixed(0)} kB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(2)} GB`
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
