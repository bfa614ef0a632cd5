import { routeVitals, VITAL_NAMES, VITAL_THRESHOLDS } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { loadMeasured } from '../../../../performance/load-measured.server.ts'
import type { AppContext } from '../../../../server/app-context.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  return {
    ...(await loadMeasured(args, 'vitals', routeVitals)),
    names: VITAL_NAMES,
    thresholds: VITAL_THRESHOLDS,
  }
}
