/** https://docs.sentry.io/api/organizations/list-an-organizations-members/ */
import { type Invited, ROLES } from '@sonde/commands'
import type { InvitationRow, MemberRow } from '@sonde/queries'
import { z } from 'zod'
import { Avatar, LETTER_AVATAR } from './avatar.ts'
import { isoDate, isoDateOrNull, Time } from './date.ts'

const role = z.enum(ROLES)

export const Member = z
  .object({
    id: z.string().meta({ description: 'Of the person; `invite-…` while the invitation is open.' }),
    email: z.string(),
    name: z.string(),
    user: z
      .object({
        id: z.string(),
        name: z.string(),
        username: z.string(),
        email: z.string(),
        avatarUrl: z.string(),
        avatar: Avatar,
        isActive: z.boolean(),
        has2fa: z.boolean(),
        dateJoined: Time,
        lastActive: Time.nullable(),
      })
      .nullable(),
    role,
    orgRole: role,
    roleName: z.string(),
    pending: z.boolean(),
    expired: z.boolean(),
    inviteStatus: z.literal('approved'),
    inviterName: z.string().nullable(),
    dateCreated: Time,
    flags: z.object({}),
    teams: z.array(z.string()),
    teamRoles: z.array(z.object({ teamSlug: z.string(), role: z.null() })).optional(),
    invite_link: z
      .string()
      .optional()
      .meta({ description: 'Of what was just made, when nobody was mailed.' }),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

export const memberJson = (row: MemberRow): Member => ({
  id: row.userId,
  email: row.email,
  name: row.name,
  user: {
    id: row.userId,
    name: row.name,
    username: row.email,
    email: row.email,
    avatarUrl: '',
    avatar: LETTER_AVATAR,
    isActive: !row.isDisabled,
    has2fa: row.hasTwoFactor,
    dateJoined: isoDate(row.createdMs),
    lastActive: isoDateOrNull(row.lastSeenMs),
  },
  role: row.role,
  orgRole: row.role,
  roleName: nameOf(row.role),
  pending: false,
  expired: false,
  inviteStatus: 'approved',
  inviterName: null,
  dateCreated: isoDate(row.addedMs),
  flags: {},
  teams: row.teams.map(({ slug }) => slug),
  teamRoles: row.teams.map(({ slug }) => ({ teamSlug: slug, role: null })),
})

/** `made`: what was just made, with its link when nobody was mailed. */
export const pendingMemberJson = (row: InvitationRow, made?: Invited): Member => ({
  id: `invite-${row.invitationId}`,
  email: row.email ?? '',
  name: row.email ?? '',
  user: null,
  role: row.role,
  orgRole: row.role,
  roleName: nameOf(row.role),
  pending: true,
  expired: row.isExpired,
  inviteStatus: 'approved',
  inviterName: row.invitedBy ?? null,
  dateCreated: isoDate(row.createdMs),
  flags: {},
  teams: [...row.teams],
  ...(made?.url !== undefined && { invite_link: made.url }),
})

const nameOf = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase())
