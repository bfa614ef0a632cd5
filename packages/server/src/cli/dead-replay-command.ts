/** `sonde dead replay [ID …]`: puts dead letters back into the log; a running Sonde does it, else this process. */
import { createLogger, systemClock } from '@sonde/base'
import { deadLetters } from '@sonde/pipeline'
import { openEngines } from '@sonde/stores'
import { deadLetterActions, replayDeadLetters, type ReplayReport } from '../back/replay.ts'
import { type Config, readConfig } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import { askBack } from '../internal/ask-back.ts'
import { type CommandInput, UsageError } from './arguments.ts'
import { note, print } from './print.ts'
import { terminalLine } from './terminal-text.ts'

export async function run({ positionals, flag }: CommandInput): Promise<number> {
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
      `${report.replayed.length} put back into the log${answer === undefined ? '; the next start digests them' : ''}`,
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
    const actions = deadLetterActions(dead, (bytes) => logWriter.append(bytes))
    return await replayDeadLetters({ records: records.db, clock: systemClock }, actions, body)
  } finally {
    await close()
  }
}
