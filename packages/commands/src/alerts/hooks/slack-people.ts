/**
 * The address of somebody in Slack. Of people of the workspace itself alone: in a channel that is shared with another company,
 * that company's admins write what their people's addresses are.
 */
import { askSlack, type ChannelDeps, type SlackAnswer } from '@sonde/alerts'
import { type Clock, createBoundedMap } from '@sonde/base'
import { z } from 'zod'
import type { HookChannel } from './hook.ts'
import { textOf } from './proof.ts'

type Outgoing = ChannelDeps['outgoing']

export type SlackPerson = { readonly email: string } | { readonly refusal: string }

export type SlackPeople = {
  /** Remembered for some minutes. `refusal`: a sentence for who asks. */
  emailOf(outgoing: Outgoing, channel: HookChannel, slackUser: string): Promise<SlackPerson>
}

const MAX_PEOPLE = 1_000
const REMEMBERED_MS = 5 * 60_000

export function createSlackPeople({ nowMs }: Clock): SlackPeople {
  const known = createBoundedMap<string, { readonly person: SlackPerson; readonly untilMs: number }>(
    MAX_PEOPLE,
  )
  return {
    async emailOf(outgoing, { secret }, slackUser) {
      const token = textOf(secret, 'token') ?? ''
      const key = `${token} ${slackUser}`
      const found = known.get(key)
      if (found && found.untilMs > nowMs()) return found.person
      const person = await ask(outgoing, token, slackUser)
      if ('email' in person) known.set(key, { person, untilMs: nowMs() + REMEMBERED_MS })
      return person
    },
  }
}

const TEAM = z.object({ team_id: z.string(), enterprise_id: z.string().nullish() })
const USER = z.object({
  user: z.object({
    team_id: z.string().nullish(),
    deleted: z.boolean().nullish(),
    is_bot: z.boolean().nullish(),
    is_stranger: z.boolean().nullish(),
    is_email_confirmed: z.boolean().nullish(),
    enterprise_user: z.object({ enterprise_id: z.string().nullish() }).nullish(),
    profile: z.object({ email: z.string().max(320).nullish() }),
  }),
})

async function ask(outgoing: Outgoing, token: string, slackUser: string): Promise<SlackPerson> {
  const [team, person] = await Promise.all([
    askSlack(outgoing, token, 'auth.test', new URLSearchParams()),
    askSlack(outgoing, token, 'users.info', new URLSearchParams({ user: slackUser })),
  ])
  if (!team.isOk) return { refusal: notAsked(team) }
  if (!person.isOk) return { refusal: notAsked(person) }
  const own = TEAM.safeParse(team.body)
  const told = USER.safeParse(person.body)
  if (!own.success || !told.success) return { refusal: 'Slack did not say who you are.' }
  const { user } = told.data
  const { team_id, enterprise_id } = own.data
  const isOfEnterprise = Boolean(enterprise_id) && user.enterprise_user?.enterprise_id === enterprise_id
  const isOwn = (user.team_id === team_id || isOfEnterprise) && user.is_stranger !== true
  if (!isOwn || user.deleted === true || user.is_bot === true)
    return { refusal: 'Only people of the workspace that the app belongs to can change issues from here.' }
  if (user.is_email_confirmed === false)
    return { refusal: 'Your email address is not confirmed in Slack yet.' }
  if (!user.profile.email)
    return { refusal: 'Slack does not tell your email address: the app needs the scope users:read.email.' }
  return { email: user.profile.email }
}

const notAsked = ({ failure }: Extract<SlackAnswer, { isOk: false }>): string =>
  `Slack did not say who you are: ${failure.answer}.`
