export * from './contract.ts'
export { type ChannelDeps, channelOf, deliverToChannel } from './channels/channels.ts'
export { incidentOfPagerKey } from './channels/pager-key.ts'
export { BUTTONS_BLOCK, SLACK_ASSIGN, SLACK_BUTTONS, type SlackButton } from './channels/slack-app.ts'
export { arePushKeys } from './push/encrypt.ts'
export { createPusher, type Pusher } from './push/pusher.ts'
export { askSlack, type SlackAnswer } from './slack/slack-api.ts'
export type { Delivery, DeliveryResult } from './channels/channel.ts'
export { newSigningSecret } from './channels/webhook.ts'
export { createMailer, type Mailer, type MailSettings } from './mail/mailer.ts'
export { readUnsubscribeToken, unsubscribeToken } from './mail/unsubscribe.ts'
export { type Message, MESSAGE_KINDS, testMessage } from './messages/message.ts'
export {
  type Action,
  ACTIONS,
  type AnyRule,
  DEFAULT_RULE,
  ISSUE_RULE,
  type IssueRule,
  type IssueRuleInput,
  type IssueTrigger,
  isWindowed,
  METRIC_RULE,
  RELEASE_RULE,
  type ReleaseRule,
  type ReleaseRuleInput,
  metricOf,
  type MetricRule,
  type MetricRuleInput,
  RULES,
  type Schedule,
} from './rules/rule.ts'
export { acknowledgeIncident as noteAcknowledged } from './issues/acknowledge.ts'
export { readIssueFacts, resolveIncident as endIncident } from './issues/incidents.ts'
export { type IssueFiring, type IssuePreview, previewIssues } from './preview/preview-issues.ts'
export { type MetricFiring, type MetricPreview, previewMetric } from './preview/preview-metric.ts'
export { previewReleases, type ReleaseJudged, type ReleasePreview } from './preview/preview-releases.ts'
export { nextMailMs } from './outbox/next-mail.ts'
export { isTimeZone } from './time-zone.ts'
export { problemsOfRule, unknownPlaces } from './rules/check-rule.ts'
export { type AlertsDeps, type RunningAlerts, startAlerts } from './start-alerts.ts'
export { expectAnew } from './crons/take-arrival.ts'
export { type Scheduled, upcomingRuns } from './crons/schedule.ts'
export { scheduleWords } from './crons/schedule-words.ts'
export { CRON_CONFIG, type CronConfig, type CronConfigInput, readCronConfig } from './crons/monitor.ts'
export { checkMonitor, type UptimeCheck } from './uptime/check-monitor.ts'
export {
  openSecretHeaders,
  UPTIME_MONITOR,
  type UptimeMonitor,
  type UptimeMonitorInput,
} from './uptime/monitor.ts'
export { noteStatusUpdate } from './status/note-update.ts'
export { readStatusUnsubscribeToken, statusUnsubscribeToken } from './status/unsubscribe-token.ts'
export { TrackerRefusal } from './trackers/call-tracker.ts'
export { issueUrl, MAX_TITLE_CHARS, readDraft } from './trackers/draft.ts'
export type { ExternalIssue, IssueDraft } from './trackers/tracker.ts'
export { type OpenTracker, openTracker, type TrackerDeps, trackerOf } from './trackers/trackers.ts'
