/** A rule as it is stored, and as people and programs send it: when it fires, for what, and whom it tells. */
import { z } from 'zod'
import { DEFAULT_COOL_DOWN_MINUTES, RULE_LIMITS } from '../contract.ts'

const minutes = (max: number) =>
  z.int('is a whole number of minutes').min(1, 'is at least a minute').max(max, `is at most ${max} minutes`)

const trigger = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['new', 'regressed', 'reopened']) }),
  /** More than `count` of one issue within `minutes`. */
  z.object({
    type: z.enum(['events', 'users']),
    count: z.int('is a whole number').min(1, 'is at least 1').max(1_000_000_000),
    minutes: minutes(RULE_LIMITS.windowMinutes),
  }),
])
export type IssueTrigger = z.output<typeof trigger>

const action = z.discriminatedUnion('type', [
  z.object({ type: z.literal('channel'), channelId: z.int().positive() }),
  /** Everybody in the organization: in the inbox, and by mail where mail is set up and the person wants it. */
  z.object({ type: z.literal('members') }),
  z.object({ type: z.literal('person'), userId: z.string().min(1).max(64) }),
])
export type Action = z.output<typeof action>

/** `search`: as typed above a list of events; only events that match count. Empty: all. */
export const ISSUE_RULE = z.object({
  triggers: z
    .array(trigger)
    .min(1, 'at least one is needed')
    .max(RULE_LIMITS.triggers, `at most ${RULE_LIMITS.triggers}`),
  search: z
    .string()
    .max(RULE_LIMITS.searchChars, `has at most ${RULE_LIMITS.searchChars} characters`)
    .default(''),
  actions: z
    .array(action)
    .min(1, 'at least one is needed')
    .max(RULE_LIMITS.actions, `at most ${RULE_LIMITS.actions}`),
  coolDownMinutes: z.int().min(0).max(RULE_LIMITS.coolDownMinutes).default(DEFAULT_COOL_DOWN_MINUTES),
})
export type IssueRule = z.output<typeof ISSUE_RULE>
export type IssueRuleInput = z.input<typeof ISSUE_RULE>

/** What was stored before a field was there has its default. Throws for what was never a rule. */
export const readIssueRule = (value: string): IssueRule => ISSUE_RULE.parse(JSON.parse(value))

/** Every project begins with it, so that the first error is told without any set-up. */
export const DEFAULT_RULE: { readonly name: string; readonly rule: IssueRule } = {
  name: 'New and returning issues',
  rule: {
    triggers: [{ type: 'new' }, { type: 'regressed' }],
    search: '',
    actions: [{ type: 'members' }],
    coolDownMinutes: DEFAULT_COOL_DOWN_MINUTES,
  },
}
