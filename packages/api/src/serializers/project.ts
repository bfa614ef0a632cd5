import type { ProjectRow } from '@sonde/queries'
import { isoDate, isoDateOrNull } from './date.ts'

export const projectJson = (row: ProjectRow) => ({
  id: String(row.id),
  slug: row.slug,
  name: row.name,
  platform: row.platform,
  dateCreated: isoDate(row.createdMs),
  firstEvent: isoDateOrNull(row.firstEventMs),
  status: 'active',
  isMember: true,
  hasAccess: true,
  isBookmarked: false,
  isPublic: false,
  team: null,
  teams: [] as { id: string; slug: string; name: string }[],
  features: [] as string[],
  environments: [] as string[],
  latestRelease: null,
})
