export {
  type CronDay,
  type CronEnvironment,
  type CronMonitor,
  cronMonitors,
  type CronRun,
  cronRuns,
} from './monitors.ts'
