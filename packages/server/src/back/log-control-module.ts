/** The log of the back, which `sonde log-level` changes and the status page shows. */
import { createLogControl } from '../internal/log-control.ts'
import { moduleOf } from '../modules.ts'
import type { BackParts, BackTools } from './back-parts.ts'

export const LOG_CONTROL = moduleOf<BackParts, BackTools>()({
  name: 'logControl',
  needs: [],
  roles: [],
  start(_, { log, onStop }) {
    const control = createLogControl(log)
    onStop(() => control.stop())
    return control
  },
})
