export type { Availability } from './availability.ts'
export {
  type UptimeCheckRow,
  uptimeChecks,
  type UptimePhase,
  type UptimeSeries,
  uptimeSeries,
} from './checks.ts'
export { type UptimeIncident, uptimeIncidents, type UptimeMonitorRow, uptimeMonitors } from './monitors.ts'
