export { type Job, type JobEnd, type JobHost, type RunningJob, startJob } from './start-job.ts'
export { forgetLeases } from './lease.ts'
