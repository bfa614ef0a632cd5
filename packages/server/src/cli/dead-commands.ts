/** `sonde dead …`: what could not be processed. */
import { createLogger, systemClock } from '@sonde/base'
import { type CommandInput, note, print, table, terminalLine, UsageError } from '@sonde/cli'
import { deadLetters } from '@sonde/pipeline'
import { openEngines } from '@sonde/stores'
import { deadLetterActions, replayDeadLetters, type ReplayReport } from '../back/replay.ts'
import { readConfig, type Config } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { askBack } from '../internal/ask-back.ts'

/** `sonde dead list`: what could not be processed, and why. */
export async function list({ flag }: CommandInput): Promise<number> {
  const config = readConfig()
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  const { records, blobs, close } = await openEngines(config.engines, ['records', 'blobs'], { logger })
  try {
    const letters = await deadLetters({ records: records.db, blobs, clock: systemClock }).list()
    if (flag('json')) print(JSON.stringify(letters))
    else if (letters.length === 0) print('No dead letters: everything that arrived was processed.')
    else {
      const rows = letters.map(
        ({ id, projectId, itemType, reason, detail, createdMs, replayedMs, discardedMs, sdk }) => [
          String(id),
          new Date(createdMs).toISOString(),
          projectId === undefined ? '-' : `project ${projectId}`,
          itemType,
          sdk || '-',
          reason,
          discardedMs !== undefined ? 'discarded' : replayedMs === undefined ? 'waits' : 'replayed',
          detail.slice(0, 120),
        ],
      )
      print(table([['id', 'when', 'project', 'item', 'sdk', 'reason', 'state', 'detail'], ...rows]))
    }
    return 0
  } finally {
    await close()
  }
}

/** `sonde dead replay [ID …]`: puts dead letters back into the log; a running Sonde does it, else this process. */
export async function replay({ positionals, flag }: CommandInput): Promise<number> {
  const wrong = positionals.find((text) => !/^\d+$/.test(text))
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is no id; \`sonde dead list\` names them`)
  const config = readConfig()
  const body = JSON.stringify({ ids: positionals.map(Number) })
  const answer = await askBack(config.paths.internalSocket, 'POST', '/-/dead/replay', {
    body,
    timeoutMs: 60_000,
  })
  const report =
    answer === undefined ? await replayStopped(config, body) : (JSON.parse(answer) as ReplayReport)
  if (flag('json')) print(JSON.stringify(report))
  else {
    print(
      `${report.replayed.length} put back into the log${answer === undefined ? '; the next start processes them' : ''}`,
    )
    for (const { id, message } of report.failed) note(terminalLine(`${id}: ${message}`))
  }
  return report.failed.length === 0 ? 0 : 1
}

async function replayStopped(config: Config, body: string): Promise<ReplayReport> {
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  const names = ['records', 'blobs', 'logWriter'] as const
  const { records, blobs, logWriter, close } = await openEngines(config.engines, names, { logger })
  try {
    const dead = deadLetters({ records: records.db, blobs, clock: systemClock })
    const actions = deadLetterActions(dead, (...record) => logWriter.append(...record))
    return await replayDeadLetters({ records: records.db, clock: systemClock }, actions, body)
  } finally {
    await close()
  }
}
