/** The job that exports organizations: on a node that maintains, which has the records, the telemetry and the blobs. */
import { join } from 'node:path'
import { startExports } from '../export/export-job.ts'
import { exportPlace, readExportTarget } from '../export/export-place.ts'
import { moduleOf } from '../modules.ts'
import { VERSION } from '../version.ts'
import type { BackParts, BackTools } from './back-parts.ts'

const module = moduleOf<BackParts, BackTools>()

export const EXPORTS = module({
  name: 'exports',
  needs: ['engines'],
  roles: ['maintain'],
  start({ engines }, { config, clock, logger, bus, tracer, onStop }) {
    const { records, visible, telemetry, blobs, watch } = engines
    const job = startExports({
      records,
      visible: visible.records,
      telemetry,
      blobs,
      clock,
      logger,
      bus,
      tracer,
      ...(watch && { watch }),
      place: exportPlace(config),
      readTarget: (to) => readExportTarget(to, config),
      workDir: join(config.dataDir, 'exports'),
      version: VERSION,
    })
    onStop(() => job.stop())
    return job
  },
})
