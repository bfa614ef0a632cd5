/** https://docs.sentry.io/api/teams/retrieve-a-team/ */
import type { TeamRow } from '@sonde/queries'
import { z } from 'zod'
import { Avatar, LETTER_AVATAR } from './avatar.ts'
import { isoDate, Time } from './date.ts'

type TeamNameRow = { readonly id: number; readonly slug: string; readonly name: string }

/** As it stands within a project. */
export const TeamName = z
  .object({ id: z.string(), slug: z.string(), name: z.string() })
  .meta({ id: 'TeamName' })
export const teamNameJson = ({ id, slug, name }: TeamNameRow) => ({ id: String(id), slug, name })

export const Team = z
  .object({
    ...TeamName.shape,
    dateCreated: Time,
    isMember: z.boolean().meta({ description: 'Who asks is in it.' }),
    teamRole: z.literal('contributor').nullable(),
    flags: z.record(z.string(), z.boolean()),
    access: z.array(z.string()),
    hasAccess: z.boolean(),
    isPending: z.boolean(),
    memberCount: z.int(),
    avatar: Avatar,
    externalTeams: z.array(z.string()),
  })
  .meta({ id: 'Team' })

export const teamJson = (row: TeamRow): z.infer<typeof Team> => ({
  ...teamNameJson(row),
  dateCreated: isoDate(row.createdMs),
  isMember: row.isMember,
  teamRole: row.isMember ? 'contributor' : null,
  flags: { 'idp:provisioned': false },
  access: [],
  hasAccess: true,
  isPending: false,
  memberCount: row.memberCount,
  avatar: LETTER_AVATAR,
  externalTeams: [],
})
