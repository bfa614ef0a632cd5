export { type CronIncident, cronIncidents } from './incidents.ts'
export {
  type CronDay,
  type CronEnvironment,
  cronEnvironmentNames,
  type CronMonitor,
  cronMonitors,
} from './monitors.ts'
export { type CronRun, type CronRunPlace, cronRuns, type LastCronRun, lastCronRuns } from './runs.ts'
