/** https://docs.sentry.io/api/teams/retrieve-a-team/ */
import type { TeamRow } from '@sonde/queries'
import { isoDate } from './date.ts'

export type TeamName = { readonly id: number; readonly slug: string; readonly name: string }

/** As it stands within a project. */
export const teamNameJson = ({ id, slug, name }: TeamName) => ({ id: String(id), slug, name })

export const teamJson = (row: TeamRow) => ({
  ...teamNameJson(row),
  dateCreated: isoDate(row.createdMs),
  isMember: row.isMember,
  teamRole: row.isMember ? 'contributor' : null,
  flags: { 'idp:provisioned': false },
  access: [] as string[],
  hasAccess: true,
  isPending: false,
  memberCount: row.memberCount,
  avatar: { avatarType: 'letter_avatar', avatarUuid: null },
  externalTeams: [] as string[],
})
