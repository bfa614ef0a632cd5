/** Small modules of the back that say how it is, and let an operator ask more of it. */
import { createLogControl } from '../internal/log-control.ts'
import { moduleOf } from '../modules.ts'
import { observeProcess } from '../observe/observe-process.ts'
import { createTlsWatch } from './back-handler.ts'
import type { BackParts, BackTools } from './back-parts.ts'
import { createReadiness } from './readiness.ts'

const module = moduleOf<BackParts, BackTools>()

export const TLS_WATCH = module({
  name: 'tls',
  needs: [],
  roles: [],
  start: (_, { config, logger }) => createTlsWatch(config.publicUrl, logger),
})

/** `sonde log-level` changes it, the status page shows it. */
export const LOG_CONTROL = module({
  name: 'logControl',
  needs: [],
  roles: [],
  start(_, { log, metrics, onStop }) {
    observeProcess(metrics, 'back', log)
    const control = createLogControl(log)
    onStop(() => control.stop())
    return control
  },
})

export const READINESS = module({
  name: 'readiness',
  needs: ['engines'],
  // It runs from the start of the pipeline on, whether it has a partition or waits for one.
  uses: ['pipeline'],
  roles: [],
  start({ engines: { records, telemetry } }, { config, clock, roles }) {
    const ask = {
      records: () => records.selectFrom('setting').select('name').limit(1).execute(),
      ...('url' in config.engines.telemetry && { telemetry: () => telemetry.query('SELECT 1') }),
    }
    return createReadiness({ roles, ask, clock })
  },
})
