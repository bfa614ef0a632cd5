import type { OrganizationRow } from '@sonde/queries'
import { isoDate } from './date.ts'

/** Every field that sentry-cli insists on (`isEarlyAdopter`, `require2FA`, …) is here. */
export const organizationJson = (row: OrganizationRow, publicUrl: string) => ({
  id: String(row.id),
  slug: row.slug,
  name: row.name,
  dateCreated: isoDate(row.createdMs),
  status: { id: 'active', name: 'active' },
  avatar: { avatarType: 'letter_avatar', avatarUuid: null },
  isEarlyAdopter: false,
  require2FA: false,
  requireEmailVerification: false,
  features: [] as string[],
  links: { organizationUrl: `${publicUrl}/${row.slug}`, regionUrl: publicUrl },
})
