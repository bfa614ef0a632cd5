/** Whom rules of an organization can tell: its channels, trackers, members and teams, as forms name them. Pure. */
import type { Action } from '@sonde/alerts'
import type { ChannelName, TrackerName } from '@sonde/queries'
import { refuse } from './form.ts'

export type Directory = {
  readonly channels: readonly ChannelName[]
  readonly trackers: readonly TrackerName[]
  readonly members: readonly { readonly userId: string; readonly email: string }[]
  readonly teams: readonly { readonly id: number; readonly slug: string }[]
}

/** What Sentry calls an integration is one of our channels: by its id, or by its name with or without `#`. */
export function channelAction(
  { channels }: Directory,
  field: string,
  what: { readonly kinds: readonly string[]; readonly says: string },
  names: readonly (string | undefined)[],
): Action {
  const own = channels.filter(({ kind }) => what.kinds.includes(kind))
  const given = names.filter((name) => name !== undefined)
  const found =
    given.flatMap((name) => own.find(({ id }) => String(id) === name) ?? [])[0] ??
    given.flatMap((name) => own.find((channel) => bare(channel.name) === bare(name)) ?? [])[0]
  if (found) return { type: 'channel', channelId: found.id }
  const there = own.map(({ id, name }) => `${id} (${name})`).join(', ')
  return refuse(
    field,
    `${what.says} names no channel of the kind ${what.kinds.join(' or ')}: ${there === '' ? 'there is none yet. Make one under Settings, Channels' : `there are ${there}`}`,
  )
}

const bare = (name: string): string => name.replace(/^#/, '').toLowerCase()

/** By id or e-mail address. */
export function memberOf({ members }: Directory, field: string, named: string | undefined): string {
  const found = members.find(({ userId, email }) => userId === named || email === named?.toLowerCase())
  return found?.userId ?? refuse(field, `"${named ?? ''}" is neither id nor e-mail address of a member`)
}

/** By id, or by slug with or without `#`. */
export function teamOf({ teams }: Directory, field: string, named: string | undefined): number {
  const found = teams.find(({ id, slug }) => String(id) === named || slug === bare(named ?? ''))
  return found?.id ?? refuse(field, `"${named ?? ''}" is neither id nor slug of a team`)
}

/** `user:ID` → the member. Undefined: nobody. */
export function ownerOf(directory: Directory, owner: unknown): string | undefined {
  if (owner === undefined || owner === null || owner === '') return undefined
  const [, kind = '', name = ''] = (typeof owner === 'string' && /^(user|team):(.+)$/.exec(owner)) || []
  if (kind === 'team')
    refuse('owner', 'a rule is owned by a member: user:ID. To tell a team, name it in an action')
  if (kind !== 'user') refuse('owner', 'is user:ID, with the id or the e-mail address of a member')
  return memberOf(directory, 'owner', name)
}
