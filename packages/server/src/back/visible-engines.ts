/** The engines with what is stored, and the same as people see them: without what was deleted and can still be restored. */
import {
  type OpenRecords,
  type Records,
  type Telemetry,
  visibleRecords,
  visibleTelemetry,
} from '@sonde/stores'

/** For access, queries, commands and alerts. What works on stored rows (pipeline, sweeps, erasures, backups) has all. */
export type VisibleEngines = { readonly records: Records; readonly telemetry: Telemetry }

export const withVisible = <Engines extends Pick<VisibleEngines, 'telemetry'>>(
  opened: OpenRecords,
  engines: Engines,
) => ({
  ...engines,
  opened,
  records: opened.db,
  visible: {
    records: visibleRecords(opened.db),
    telemetry: visibleTelemetry(engines.telemetry, opened.db),
  },
})
