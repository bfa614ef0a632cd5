/** `sonde dead list`: what could not be digested, and why. */
import { createLogger, systemClock } from '@sonde/base'
import { deadLetters } from '@sonde/pipeline'
import { openEngines } from '@sonde/stores'
import { readConfig } from '../config/config.ts'
import { openDataDir } from '../data-dir.ts'
import type { CommandInput } from './arguments.ts'
import { print, table } from './print.ts'

export async function run({ flag }: CommandInput): Promise<number> {
  const config = readConfig()
  const logger = createLogger('cli', 'warn')
  openDataDir(config.dataDir, logger)
  const { records, blobs, close } = await openEngines(config.engines, ['records', 'blobs'], { logger })
  try {
    const letters = await deadLetters({ records: records.db, blobs, clock: systemClock }).list()
    if (flag('json')) print(JSON.stringify(letters))
    else if (letters.length === 0) print('No dead letters: everything that arrived could be digested.')
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
