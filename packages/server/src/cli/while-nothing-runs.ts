/**
 * For commands that change what a running Sonde has open: front and back each hold a lock of the log for as long as they
 * live; with a log on NATS the back does. Nodes on other machines are in the records: who must know of them looks there.
 */
import { mkdirSync } from 'node:fs'
import { type Logger, SondeError } from '@sonde/base'
import { lockLog, type LogReaders } from '@sonde/log'
import { openEngines } from '@sonde/stores'
import type { Config } from '../config/config.ts'

/** `logs`: of an embedded log, whose end is recovered; undefined with a log on NATS, where only the back of this folder is. */
type Work<Result> = (logs: LogReaders | undefined) => Promise<Result>

/** Throws `conflict` with these words while Sonde runs. */
export async function whileNothingRuns<Result>(
  { engines, paths }: Pick<Config, 'engines' | 'paths'>,
  logger: Logger,
  running: { readonly message: string; readonly operation: string; readonly hint: string },
  work: Work<Result>,
): Promise<Result> {
  let log: { readonly logReaders?: LogReaders; close(): Promise<void> }
  try {
    log =
      'url' in engines.log
        ? lockedFolder(paths.log)
        : await openEngines(engines, ['logWriter', 'logReaders'], { logger })
  } catch (cause) {
    if (!(cause instanceof SondeError && cause.kind === 'conflict')) throw cause
    const { message, operation, hint } = running
    throw new SondeError('conflict', message, { operation, cause, hint })
  }
  try {
    return await work(log.logReaders)
  } finally {
    await log.close()
  }
}

function lockedFolder(dir: string): { close(): Promise<void> } {
  mkdirSync(dir, { recursive: true })
  const release = lockLog(dir, 'consumer', '')
  return { close: async () => release() }
}
