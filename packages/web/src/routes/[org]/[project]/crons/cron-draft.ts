/** A monitor as its form has it, and back. Pure. */
import type { CronConfig, CronConfigInput } from '@sonde/alerts'
import type { Action } from '@sonde/alerts'
import type { CronInput } from '@sonde/commands'
import type { TellDraft } from '../../../../parts/alerts/tell-fields.tsx'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'

export type CronDraft = TellDraft & {
  readonly name: string
  readonly slug: string
  readonly scheduleType: string
  readonly crontab: string
  readonly every: string
  readonly unit: string
  readonly timezone: string
  readonly checkinMargin: string
  readonly maxRuntime: string
  readonly failureIssueThreshold: string
  readonly recoveryThreshold: string
  /** `user:ID` or `team:ID`; empty: nobody. */
  readonly owner: string
}

export const newCronDraft = (timezone: string): CronDraft => ({
  name: '',
  slug: '',
  scheduleType: 'crontab',
  crontab: '0 2 * * *',
  every: '1',
  unit: 'hour',
  timezone,
  checkinMargin: '5',
  maxRuntime: '30',
  failureIssueThreshold: '1',
  recoveryThreshold: '1',
  owner: '',
  members: true,
  channelIds: [],
  userIds: [],
  teamIds: [],
})

type Stored = {
  readonly name: string
  readonly slug: string
  readonly owner: string
  readonly config: CronConfig
  readonly actions: readonly Action[]
}

export function cronDraftOf({ name, slug, owner, config, actions }: Stored): CronDraft {
  const fresh = newCronDraft(config.timezone)
  const { schedule } = config
  return {
    ...fresh,
    name,
    slug,
    owner,
    scheduleType: schedule.type,
    ...(schedule.type === 'crontab'
      ? { crontab: schedule.value }
      : { every: String(schedule.value), unit: schedule.unit }),
    checkinMargin: String(config.checkinMargin),
    maxRuntime: String(config.maxRuntime),
    failureIssueThreshold: String(config.failureIssueThreshold),
    recoveryThreshold: String(config.recoveryThreshold),
    members: actions.some(({ type }) => type === 'members'),
    channelIds: actions.flatMap((action) => (action.type === 'channel' ? [String(action.channelId)] : [])),
    userIds: actions.flatMap((action) => (action.type === 'person' ? [action.userId] : [])),
    teamIds: actions.flatMap((action) => (action.type === 'team' ? [String(action.teamId)] : [])),
  }
}

export function postedCron({ text, has, all }: PostedFields): CronDraft {
  return {
    name: text('name'),
    slug: text('slug'),
    scheduleType: text('scheduleType'),
    crontab: text('crontab'),
    every: text('every'),
    unit: text('unit'),
    timezone: text('timezone'),
    checkinMargin: text('checkinMargin'),
    maxRuntime: text('maxRuntime'),
    failureIssueThreshold: text('failureIssueThreshold'),
    recoveryThreshold: text('recoveryThreshold'),
    owner: text('owner'),
    members: has('members'),
    channelIds: all('channelId'),
    userIds: all('userId'),
    teamIds: all('teamId'),
  }
}

/** What is empty is no number, and not 0. */
const number = (text: string): number => (text === '' ? Number.NaN : Number(text))

export const cronConfigInput = (draft: CronDraft): CronConfigInput => ({
  schedule:
    draft.scheduleType === 'interval'
      ? { type: 'interval', value: number(draft.every), unit: draft.unit as 'day' }
      : { type: 'crontab', value: draft.crontab },
  timezone: draft.timezone === '' ? 'UTC' : draft.timezone,
  checkinMargin: number(draft.checkinMargin),
  maxRuntime: number(draft.maxRuntime),
  failureIssueThreshold: number(draft.failureIssueThreshold),
  recoveryThreshold: number(draft.recoveryThreshold),
})

/** `slugOf`: of a name, where none was typed. */
export const cronInput = (
  draft: CronDraft,
  slugOf: (name: string) => string,
): Omit<CronInput, 'isEnabled' | 'isMuted'> => ({
  name: draft.name,
  slug: draft.slug === '' ? slugOf(draft.name) : draft.slug,
  config: cronConfigInput(draft),
  owner: draft.owner,
  actions: [
    ...(draft.members ? [{ type: 'members' as const }] : []),
    ...draft.channelIds.map((id) => ({ type: 'channel' as const, channelId: Number(id) })),
    ...draft.userIds.map((userId) => ({ type: 'person' as const, userId })),
    ...draft.teamIds.map((id) => ({ type: 'team' as const, teamId: Number(id) })),
  ],
})
