import type { ProjectKeyRow } from '@sonde/queries'
import { isoDate } from './date.ts'

/** SDKs no longer use a secret; clients still read the field, so it repeats the public key's place with nothing in it. */
export const projectKeyJson = (row: ProjectKeyRow, projectId: number) => ({
  id: row.publicKey,
  name: row.label,
  label: row.label,
  public: row.publicKey,
  secret: '',
  projectId,
  isActive: row.isActive,
  rateLimit: row.rateLimit ? { window: row.rateLimit.windowSec, count: row.rateLimit.count } : null,
  dsn: { public: row.dsn, secret: row.dsn },
  browserSdkVersion: '',
  dynamicSdkLoaderOptions: {},
  dateCreated: isoDate(row.createdMs),
})
