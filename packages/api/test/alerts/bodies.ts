/** Requests as Sentry's documentation and the Terraform provider write them. `{slack}` and the like are ids of channels. */
export const FIRST_SEEN = 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition'
export const REGRESSION = 'sentry.rules.conditions.regression_event.RegressionEventCondition'
export const FREQUENCY = 'sentry.rules.conditions.event_frequency.EventFrequencyCondition'
export const EMAIL = 'sentry.mail.actions.NotifyEmailAction'
export const SLACK = 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction'
export const LEVEL = 'sentry.rules.filters.level.LevelFilter'
export const TAGGED = 'sentry.rules.filters.tagged_event.TaggedEventFilter'
export const ATTRIBUTE = 'sentry.rules.filters.event_attribute.EventAttributeFilter'

export const ISSUE_BODY = {
  name: 'My Error Rule',
  owner: 'user:ann@acme.test',
  frequency: 60,
  environment: 'production',
  actionMatch: 'any',
  filterMatch: 'all',
  projects: ['shop'],
  conditions: [
    { id: FIRST_SEEN },
    { id: REGRESSION, name: 'The issue changes state from resolved to unresolved' },
    { id: 'sentry.rules.conditions.reappeared_event.ReappearedEventCondition' },
    { id: FREQUENCY, value: 500, interval: '1h', comparisonType: 'count' },
    {
      id: 'sentry.rules.conditions.event_frequency.EventUniqueUserFrequencyCondition',
      value: '100',
      interval: '5m',
      comparisonType: 'count',
    },
  ],
  filters: [
    { id: LEVEL, level: '40', match: 'gte' },
    { id: TAGGED, key: 'customer tier', match: 'co', value: 'pl*"us' },
    { id: ATTRIBUTE, attribute: 'exception.type', match: 'ne', value: 'AbortError' },
  ],
  actions: [
    { id: EMAIL, targetType: 'IssueOwners', fallthroughType: 'ActiveMembers' },
    { id: EMAIL, targetType: 'Member', targetIdentifier: 'ann@acme.test' },
    { id: SLACK, workspace: '{slack}', channel: '#warning', tags: 'environment,level', notes: 'Please look' },
    {
      id: 'sentry.integrations.pagerduty.notify_action.PagerDutyNotifyServiceAction',
      account: '{pagerduty}',
      service: '9823924',
      severity: 'default',
    },
    { id: 'sentry.rules.actions.notify_event.NotifyEventAction' },
  ],
}

export const METRIC_BODY = {
  name: 'Counting Bad Requests',
  owner: 'user:ann@acme.test',
  environment: null,
  dataset: 'events',
  queryType: 0,
  query: 'event.type:error browser.name:Safari',
  aggregate: 'count()',
  eventTypes: ['error'],
  timeWindow: 10,
  thresholdType: 0,
  resolveThreshold: 90,
  projects: ['shop'],
  triggers: [
    {
      label: 'critical',
      thresholdType: 0,
      alertThreshold: 200,
      resolveThreshold: 90,
      actions: [
        {
          type: 'slack',
          targetType: 'specific',
          targetIdentifier: '#critical',
          inputChannelId: 'C0XXX',
          integrationId: '{slack}',
        },
        { type: 'email', targetType: 'user', targetIdentifier: 'ann@acme.test' },
      ],
    },
    {
      label: 'warning',
      alertThreshold: 100,
      actions: [{ type: 'email', targetType: 'all_members', targetIdentifier: null }],
    },
  ],
}
