/** What stands in the lists of rules: conditions, filters, actions and triggers, as they are sent and as they are answered. */
import { z } from 'zod'
import { Time } from '../serializers/date.ts'

/** Older clients quote numbers, and what they sent is what they read. */
const said = (description: string) => z.union([z.string(), z.number()]).nullish().meta({ description })
const more = 'Fields that are not named here are given back as they were sent.'

export const RuleCondition = z
  .looseObject({
    id: z.string().meta({
      description: 'What happened.',
      examples: ['sentry.rules.conditions.first_seen_event.FirstSeenEventCondition'],
    }),
    value: said('Of those that count: more than so many.'),
    comparisonType: said('`count`.'),
    interval: said('Of those that count: within `5m`, `1h`, `1d` or the like, at most `1w`.'),
  })
  .meta({ id: 'RuleCondition', description: more })

export const RuleFilter = z
  .looseObject({
    id: z.string().meta({
      description: 'What is looked at.',
      examples: ['sentry.rules.filters.tagged_event.TaggedEventFilter'],
    }),
    match: said(
      '`eq`, `ne`, `co`, `nc`, `sw`, `nsw`, `ew`, `new`, `in`, `nin`, `is` or `ns`; of levels `eq`, `gte` or `lte`.',
    ),
    key: said('Of a tag its name.'),
    attribute: said('Of an attribute its name.'),
    value: said('Of tags, attributes and categories; several by commas.'),
    level: said('`50` (fatal), `40` (error), `30` (warning), `20` (info) or `10` (debug).'),
    query: said('Of `sonde.filters.search` the search.'),
    targetType: said('Of an assignee: `Unassigned`, `Member` or `Team`.'),
    targetIdentifier: said('Of a member or team.'),
    values: z
      .array(z.string())
      .optional()
      .meta({ description: 'Of `sonde.filters.assigned_to`: `nobody`, `user:ID`, `team:ID`.' }),
  })
  .meta({ id: 'RuleFilter', description: more })

export const RuleAction = z
  .looseObject({
    id: z.string().meta({
      description: 'How it tells.',
      examples: ['sentry.mail.actions.NotifyEmailAction'],
    }),
    targetType: said('Of mail: `IssueOwners`, `AllMembers`, `Member`, `Team` or `RuleOwner`.'),
    targetIdentifier: said('Of a member or team.'),
    fallthroughType: said('Where nobody owns the issue: `AllMembers`, `ActiveMembers` or `NoOne`.'),
    workspace: said('Of Slack: id of the channel in Sonde.'),
    channel: said('Of Slack and Microsoft Teams: its name.'),
    server: said('Of Discord: id of the channel in Sonde.'),
    channel_id: said('Of Discord: its name.'),
    account: said('Of PagerDuty and Opsgenie: id of the channel in Sonde.'),
    team: said('Of Microsoft Teams its id in Sonde, of Opsgenie its name.'),
    service: said('Of PagerDuty its name, of webhooks and the like the id or name of the channel in Sonde.'),
    sentryAppInstallationUuid: said('Of a webhook: id or name of the channel in Sonde.'),
    integration: said('Of an issue tracker: its id or name.'),
  })
  .meta({ id: 'RuleAction', description: more })

const toldBy = {
  type: z.string().meta({ description: '`email`, or the kind of the channel: `slack`, `webhook`, …' }),
  targetType: said('Of mail: `user`, `team`, `all_members` or `rule_owner`; of a channel `specific`.'),
  targetIdentifier: said('Id of the member or team, or name of the channel.'),
  integrationId: said('Id of the channel.'),
}

/** Of a release rule. */
export const ReleaseAction = z.object(toldBy).meta({ id: 'ReleaseRuleAction' })

/** Of a metric rule, as it is sent and kept. */
export const MetricAction = z
  .looseObject({
    ...toldBy,
    sentryAppId: said('Id or name of a webhook.'),
    inputChannelId: said('Not looked at.'),
    priority: said('Not looked at.'),
  })
  .meta({ description: more })

export const MetricTrigger = z
  .object({
    id: z.string(),
    alertRuleId: z.string(),
    label: z.enum(['critical', 'warning']),
    thresholdType: z.number().meta({ description: '0: above, 1: below.' }),
    alertThreshold: z.number().meta({ description: 'From here on it fires.' }),
    resolveThreshold: z
      .number()
      .nullable()
      .meta({ description: 'From here on it is over; null: once the other is not passed any more.' }),
    dateCreated: Time,
    actions: z.array(
      MetricAction.extend({
        id: z.string(),
        alertRuleTriggerId: z.string(),
        dateCreated: Time,
        desc: z.string().meta({ description: 'Type and target in one text.' }),
      }).meta({ id: 'MetricRuleAction', description: more }),
    ),
  })
  .meta({ id: 'MetricRuleTrigger' })

export const Schedule = z
  .object({
    timeZone: z.string().meta({ examples: ['Europe/Berlin'] }),
    days: z.array(z.int()).meta({ description: '0 is Sunday.' }),
    fromMinute: z.int().meta({ description: 'Minutes since midnight.' }),
    toMinute: z
      .int()
      .meta({ description: 'Minutes since midnight; before `fromMinute` it is of the next day.' }),
  })
  .meta({ id: 'RuleSchedule', description: 'At other times it tells nothing.' })

export type ConditionJson = Readonly<z.infer<typeof RuleCondition>>
export type FilterJson = Readonly<z.infer<typeof RuleFilter>>
export type ActionJson = Readonly<z.infer<typeof RuleAction>>
export type ReleaseActionJson = Readonly<z.infer<typeof ReleaseAction>>
export type MetricActionJson = Readonly<z.infer<typeof MetricAction>>
