export { dueNow, type Job, type JobEnd, type JobHost, type RunningJob, startJob } from './start-job.ts'
export { type RecordsWatch, watchRecords } from './records-watch.ts'
export { forgetLeases, tryLease, withLease } from './lease.ts'
export { type HeldShare, type SharedLeases, type SharedLeasesOptions, shareLeases } from './share-leases.ts'
