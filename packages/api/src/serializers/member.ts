import type { MemberRow } from '@sonde/queries'
import { isoDate, isoDateOrNull } from './date.ts'

/** https://docs.sentry.io/api/organizations/list-an-organizations-members/ . Nobody is invited here: who is listed is in. */
export const memberJson = (row: MemberRow) => ({
  id: row.userId,
  email: row.email,
  name: row.name,
  user: {
    id: row.userId,
    name: row.name,
    username: row.email,
    email: row.email,
    avatarUrl: '',
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    isActive: !row.isDisabled,
    has2fa: row.hasTwoFactor,
    dateJoined: isoDate(row.createdMs),
    lastActive: isoDateOrNull(row.lastSeenMs),
  },
  role: row.role,
  orgRole: row.role,
  roleName: ROLE_NAMES[row.role],
  pending: false,
  expired: false,
  inviteStatus: 'approved',
  inviterName: null,
  dateCreated: isoDate(row.addedMs),
  flags: {},
})

const ROLE_NAMES = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' } as const
