/** Which process runs a background job. */
import type { ColumnType } from 'kysely'

export type JobTables = { job_lease: JobLeaseTable }

export type JobLeaseTable = {
  /** The job. */
  name: ColumnType<string, string, never>
  owner: string
  /** From here on any process may take it. */
  expires_ms: number
}

export const JOB_LEASES: readonly string[] = [
  'CREATE TABLE job_lease (name text NOT NULL PRIMARY KEY, owner text NOT NULL, expires_ms integer NOT NULL)',
]
