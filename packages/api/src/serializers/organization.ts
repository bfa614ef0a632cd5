import type { OrganizationRow } from '@sonde/queries'
import { z } from 'zod'
import { Avatar, LETTER_AVATAR } from './avatar.ts'
import { isoDate, Time } from './date.ts'

/** Every field that sentry-cli insists on (`isEarlyAdopter`, `require2FA`, …) is here. */
export const Organization = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    dateCreated: Time,
    status: z.object({ id: z.literal('active'), name: z.literal('active') }),
    avatar: Avatar,
    isEarlyAdopter: z.boolean(),
    require2FA: z.boolean(),
    requireEmailVerification: z.boolean(),
    openMembership: z.boolean().meta({ description: 'Members see projects of teams that they are not in.' }),
    features: z.array(z.string()),
    links: z.object({ organizationUrl: z.url(), regionUrl: z.url() }),
  })
  .meta({ id: 'Organization' })

export const organizationJson = (row: OrganizationRow, publicUrl: string): z.infer<typeof Organization> => ({
  id: String(row.id),
  slug: row.slug,
  name: row.name,
  dateCreated: isoDate(row.createdMs),
  status: { id: 'active', name: 'active' },
  avatar: LETTER_AVATAR,
  isEarlyAdopter: false,
  require2FA: row.requiresSecondFactor,
  requireEmailVerification: false,
  openMembership: row.membersSee === 'all',
  features: [],
  links: { organizationUrl: `${publicUrl}/${row.slug}`, regionUrl: publicUrl },
})
