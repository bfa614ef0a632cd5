import type { TokenOfOrgRow } from '@sonde/queries'
import { isoDate, isoDateOrNull } from './date.ts'

/** `dateExpires` and `createdBy` are beside what clients know. */
export const orgTokenJson = (row: TokenOfOrgRow) => ({
  id: String(row.id),
  name: row.name,
  scopes: row.scopes,
  dateCreated: isoDate(row.createdMs),
  dateLastUsed: isoDateOrNull(row.lastUsedMs),
  dateExpires: isoDateOrNull(row.expiresMs),
  createdBy: row.madeBy === undefined ? null : { id: row.madeBy.userId, name: row.madeBy.name ?? null },
})
