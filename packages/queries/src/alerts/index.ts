export {
  channelById,
  channelDeliveries,
  type ChannelDetail,
  type ChannelName,
  channelNames,
  type ChannelRow,
  type Deliveries,
  type Delivery,
  listChannels,
  type RuleUsing,
} from './channels.ts'
export {
  type Inbox,
  type InboxItem,
  inboxItems,
  type InboxOwner,
  type ActivityChoices,
  type NotificationChoices,
  type NotificationSettings,
  notificationSettings,
  type PushBrowser,
  pushBrowsers,
  unreadCount,
} from './inbox.ts'
export {
  busyIssues,
  type BusyIssue,
  busyIssuesOf,
  isEscalatingNow,
  issueCountSince,
  type BusyIssuesAsked,
  type BusyIssuesInput,
  type IssueCount,
} from './issue-counts.ts'
export { type NotificationActionRow, notificationActions } from './notification-actions.ts'
export { alertMembers, alertRule, type AlertRuleRow, alertRules, openIncidentCount } from './rules.ts'
export {
  incident,
  type IncidentIssue,
  type IncidentNote,
  incidentNotes,
  type IncidentNotification,
  incidentNotifications,
  type IncidentRow,
  incidents,
  type IncidentsInput,
} from './incidents.ts'
export {
  busyIssueSteps,
  type BusyStep,
  issueAssignees,
  issuesNamed,
  type NamedIssue,
  type PastChange,
  pastIssueChanges,
} from './issue-history.ts'
export {
  checkMetric,
  type MetricRoute,
  metricRoutes,
  metricSeries,
  type MetricSeriesInput,
  type MetricValue,
  type MetricWindow,
} from './metric-values.ts'
export { openSpike, projectSpikes, type Spike, spikeOf, type SpikeState } from './spikes.ts'
export { type HourCount, usualHours, type UsualHours } from './usual-rates.ts'
export { isMetricFault, metricAnswers, type MetricFault, metricValues } from './metric-windows.ts'
