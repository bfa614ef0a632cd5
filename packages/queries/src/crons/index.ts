export {
  type CronDay,
  type CronEnvironment,
  type CronMonitor,
  cronIncidents,
  cronMonitors,
  type CronRun,
  cronRuns,
} from './monitors.ts'
