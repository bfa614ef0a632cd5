/** The back process: stores, pipeline, access, `/api/0` and screens, as far as the roles ask for them. */
import { createMetrics, createProcessLog, systemClock } from '@sonde/base'
import { openEngines } from '@sonde/stores/engines'
import type { Config } from '../config/config.ts'
import { startModules } from '../modules.ts'
import { releaseMemoryWhileIdle } from '../observe/release-memory.ts'
import { startExport } from '../observe/start-export.ts'
import { createSlowStatements } from '../observe/statements.ts'
import { programFiles } from '../program-files.ts'
import { BACK_MODULES } from './back-modules.ts'

export type RunningBack = { readonly notices: readonly string[]; readonly stop: () => Promise<void> }

export async function startBack(config: Config): Promise<RunningBack> {
  const log = createProcessLog('back', config.logLevel, config.logFormat)
  const { logger } = log
  const clock = systemClock
  const metrics = createMetrics()
  const { tracer, stop: stopExport } = startExport({ ...config.otlp, role: 'back', clock, logger, metrics })
  const { bus, close } = await openEngines(config.engines, ['bus'], { logger })
  try {
    const { parts, stop } = await startModules(BACK_MODULES, {
      config,
      files: programFiles(),
      clock,
      log,
      logger,
      metrics,
      tracer,
      slow: createSlowStatements(clock.nowMs),
      bus,
      roles: new Set(config.roles),
    })
    const stopReleasing = releaseMemoryWhileIdle()
    return {
      notices: parts.firstStart ?? [],
      async stop() {
        stopReleasing()
        await stop()
        await close()
        await stopExport()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
