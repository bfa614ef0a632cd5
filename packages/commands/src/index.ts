export { noteAuditExport } from './audit.ts'
export {
  type BackupPlan,
  type BackupPlanInput,
  noteBackupAsked,
  readBackupPlan,
  saveBackupPlan,
} from './backup-plan.ts'
export {
  ExportPlanFields,
  cancelExport,
  exportFolder,
  type ExportPlan,
  type ExportPlanInput,
  readExportPlan,
  requestExport,
  saveExportPlan,
} from './exports.ts'
export { CHUNK_LIMITS, MAX_BUNDLE_BYTES, MAX_CHUNKS, ROLES } from '@sonde/stores'
export {
  createChannel,
  type CreateChannelInput,
  type CreatedChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from './alerts/change-channel.ts'
export { beginOnce, endOnce, forgetOnce } from './idempotency/run-once.ts'
export { lookAtUnsubscribe, unsubscribe, type UnsubscribedMail } from './alerts/unsubscribe.ts'
export {
  markInboxRead,
  setProjectNotifications,
  setUsualNotifications,
  type UsualNotifications,
} from './alerts/notification-settings.ts'
export {
  addTeamMember,
  createTeam,
  deleteTeam,
  removeTeamMember,
  removeTeamProject,
  setMembersSee,
  setTeamProject,
  TEAM_ROLES,
  type TeamRole,
  updateTeam,
} from './people/teams.ts'
export { createAnswerHook } from './alerts/hooks/answer-hook.ts'
export type { HookDeps } from './alerts/hooks/hook.ts'
export { addPushSubscription, removePushSubscription, testPush } from './alerts/push-subscriptions.ts'
export { retryNotification } from './alerts/retry-notification.ts'
export {
  createNotificationAction,
  type CreateNotificationActionInput,
  deleteNotificationAction,
  updateNotificationAction,
} from './alerts/notification-actions.ts'
export {
  acknowledgeIncident,
  noteIncident,
  resolveIncident,
  retryIncidentNotification,
} from './alerts/change-incident.ts'
export {
  createAlertRule,
  type CreateAlertRuleInput,
  deleteAlertRule,
  updateAlertRule,
  type UpdateAlertRuleInput,
} from './alerts/change-rule.ts'
export {
  assembleBundle,
  assembleDebugFile,
  type AssembleInput,
  type Assembly,
} from './artifacts/assemble-bundle.ts'
export { deleteUpload, type DeleteUploadInput } from './artifacts/delete-release-artifacts.ts'
export { deleteReleaseArtifacts } from './artifacts/delete-release-artifacts.ts'
export { deleteReleaseFile } from './artifacts/delete-release-artifacts.ts'
export {
  type ReleaseFileInput,
  type SavedReleaseFile,
  saveReleaseFile,
} from './artifacts/save-release-file.ts'
export { startUploads, type Uploads, type UploadsOptions } from './artifacts/start-uploads.ts'
export { openChunkUpload, type TakeChunk } from './artifacts/upload-input.ts'
export {
  acceptInvitation,
  createInvitedAccount,
  type InvitationState,
  lookAtInvitation,
} from './people/accept-invitation.ts'
export {
  createInviteLink,
  INVITATION_LIMITS,
  type Invited,
  inviteMembers,
  renewInvitation,
  revokeInvitation,
} from './people/invite.ts'
export { lookAtReset, requestPasswordReset, resetOwnPassword } from './people/reset-password.ts'
export { addPasskey, removePasskey } from './update-account.ts'
export { confirmEmailChange, lookAtEmailChange, requestEmailChange } from './people/change-email.ts'
export { requireSecondFactor } from './people/require-second-factor.ts'
export type { CommandDeps } from './command-deps.ts'
export { createKey, type CreatedKey } from './update-key.ts'
export {
  createOrganization,
  type CreatedOrganization,
  type CreateOrganizationInput,
} from './create-organization.ts'
export {
  createProject,
  type CreatedProject,
  type CreateProjectInput,
  ensureProject,
} from './create-project.ts'
export { allowEndlessTokens } from './tokens/token-life.ts'
export { deleteToken, renameToken, type TokenGrant, type TokenInput } from './tokens/change-token.ts'
export { connectApp, disconnectApp, proofToConnect } from './tokens/connect-app.ts'
export { createToken, type CreatedToken, type NewTokenFields } from './tokens/create-token.ts'
export { createUser, type CreatedUser, type CreateUserInput } from './create-user.ts'
export { measureStorage } from './deletion/measure-storage.ts'
export { applyCuts, retentionCuts } from './deletion/apply-retention.ts'
export { readRetention, type RetentionRules, updateRetention } from './update-retention.ts'
export { startDiskWatch, watchDisk, wentText } from './deletion/watch-disk.ts'
export { startStorage } from './deletion/start-storage.ts'
export { type DeletionsOptions, startDeletions } from './deletion/start-deletions.ts'
export {
  changeDeadLetters,
  type DeadLetterActions,
  type DeadLetterChange,
  type DeadLetterReport,
} from './dead-letters.ts'
export { type AttachmentInput, deleteAttachment } from './delete-attachment.ts'
export {
  erasePerson,
  notePersonExport,
  type PersonInput,
  personOfInput,
  type RequestedErasure,
} from './erasure/erase-person.ts'
export {
  ERASURE_CUTS,
  type ErasureLog,
  type ErasuresOptions,
  startErasures,
} from './erasure/start-erasures.ts'
export { viewReplay } from './view-replay.ts'
export { deleteReplay } from './delete-replay.ts'
export { deleteOrganization, deleteProject } from './deletion/delete-whole.ts'
export { purgeDeleted, restoreDeleted } from './deletion/restore-deleted.ts'
export { DEFAULT_ORG_SLUG, type EnsuredOwner, ensureOwner, type EnsureOwnerInput } from './ensure-owner.ts'
export { type FieldErrors, InvalidInput, readInput } from './fields.ts'
export { createPersonalToken, deletePersonalToken } from './tokens/personal-token.ts'
export { scopesOfRole } from './tokens/token-life.ts'
export { deleteUser, type Disabled, disableUser, enableUser } from './people/accounts.ts'
export { type MemberInput, removeMember, setMemberRole } from './people/members.ts'
export { MAX_SAMPLE_CHARS, type PreviewScrub, type RemovedValue, type ScrubPreview } from './preview-scrub.ts'
export type { RateLimitInput } from './fields.ts'
export { linesOf } from './rule-lists.ts'
export { setOperator } from './people/accounts.ts'
export { buildTestEvent, type TestEventOptions } from './test-event/build-test-event.ts'
export type { SendTestEvent, SentTestEvent } from './test-event/build-test-event.ts'
export { confirmTwoFactor, disableTwoFactor, enableTwoFactor, newBackupCodes } from './update-account.ts'
export {
  changePassword,
  type ChangePasswordInput,
  revokeOtherSessions,
  revokeSession,
  updateProfile,
} from './update-account.ts'
export { rotateSecret, type RotateSecretInput } from './rotate-secret.ts'
export { resetPassword, resetTwoFactor, type TokensAfter } from './recover-account.ts'
export { createDeploy, type DeployInput } from './releases/create-deploy.ts'
export { deleteRelease } from './releases/save-release.ts'
export type { Resolution } from './releases/resolution.ts'
export {
  createRelease,
  type ReleaseInput,
  type SavedRelease,
  updateRelease,
} from './releases/save-release.ts'
export {
  type RequestedReprocessing,
  reprocessEvents,
  type ReprocessEventsInput,
  scrubStoredEvents,
} from './reprocess-events.ts'
export { type AssignedIssues, assignIssues, type AssignIssuesInput } from './issues/assign-issues.ts'
export { type ChangedIssues, changeIssues, type IssuesChange, markOwn } from './issues/change-issues.ts'
export { deleteSearch, restoreSearch, saveSearch, updateSearch } from './issues/saved-searches.ts'
export { type PinChange, pinSearch, setDefaultSearch } from './issues/search-choices.ts'
export { undoIssues, type UndoIssuesInput } from './issues/undo-issues.ts'
export { MAX_UNDO_CHARS } from './issues/undo-text.ts'
export { type Archive } from './issues/archive.ts'
export { MAX_ISSUES_AT_ONCE } from './issues/many-issues.ts'
export { type Marks } from './issues/mark-issues.ts'
export { PRIORITY_CHOICES, type PriorityChoice } from './issues/set-priority.ts'
export {
  OPEN_SUBSTATUSES,
  type UpdatedIssues,
  updateIssues,
  type UpdateIssuesInput,
  updateMatchingIssues,
} from './issues/update-issues.ts'
export {
  deleteKey,
  type KeyInput,
  rotateKey,
  type RotatedKey,
  updateKey,
  type UpdateKeyInput,
} from './update-key.ts'
export {
  setAllowedDomains,
  setProjectRateLimit,
  setSpikeProtection,
  updateProjectFilters,
  updateProjectNoise,
  changeProjectNoise,
  updateProjectScrubbing,
} from './update-project-settings.ts'
export {
  GROUPING_MOVE_DAYS,
  type GroupingRulesInput,
  moveGrouping,
  updateGroupingRules,
} from './update-project-grouping.ts'
export { updateAiPrices } from './update-ai-prices.ts'
export {
  changedDetectors,
  checkDetectors,
  type DetectorInput,
  type DetectorsInput,
  updateDetectors,
} from './update-detectors.ts'
export { setSpanCaps, type SpanCapsInput, updateProjectSampling } from './update-project-settings.ts'
export { updateProject, type UpdatedProject, type UpdateProjectInput } from './update-project.ts'
export { noteSqlRun, switchSqlConsole } from './sql-console.ts'
export { explainIssue, type ExplainedPart } from './model/explain-issue.ts'
export {
  deleteModel,
  type ModelTest,
  saveModel,
  type SaveModelInput,
  testModel,
} from './model/change-model.ts'
export {
  createTracker,
  type CreatedTracker,
  type CreateTrackerInput,
  deleteTracker,
  testTracker,
  type TrackerTest,
  updateTracker,
  type UpdateTrackerInput,
} from './trackers/change-connection.ts'
export {
  changeScimGroup,
  createScimGroup,
  deleteScimGroup,
  type ScimGroupChange,
} from './scim/scim-groups.ts'
export { endScimToken, makeScimToken } from './scim/scim-token.ts'
export { createScimUser, deleteScimUser, replaceScimUser, type ScimUserInput } from './scim/scim-users.ts'
export { admitSsoPerson, connectSsoPerson, recordSsoFailure, recordSsoTest } from './sso/admit-person.ts'
export {
  deleteSsoConnection,
  saveSsoConnection,
  type SaveSsoInput,
  switchSso,
} from './sso/change-connection.ts'
export {
  addSsoDomain,
  addSsoGroup,
  domainProof,
  removeSsoDomain,
  removeSsoGroup,
  verifySsoDomain,
} from './sso/domains-and-groups.ts'
export {
  createTrackerIssue,
  draftTrackerIssue,
  type LinkedIssue,
  linkTrackerIssue,
  searchTracker,
  unlinkTrackerIssue,
} from './trackers/link-issue.ts'
export { takeTrackerWebhook, type TrackerWebhook } from './trackers/take-webhook.ts'
export {
  addComment,
  deleteComment,
  editComment,
  MAX_COMMENT_CHARS,
  reactToComment,
} from './comments/comments.ts'
export { type CommentNode, commentWords, parseComment } from './comments/markdown.ts'
export { previewComment } from './comments/preview-comment.ts'
export {
  applyOwnership,
  type CodeownersInput,
  type CodeownersOwnerInput,
  deleteCodeowners,
  type OwnershipInput,
  saveCodeowners,
  setCodeownersOwner,
  updateOwnership,
} from './ownership/update-ownership.ts'
export {
  mergeIssues,
  type MergedIssues,
  type MergeIssuesInput,
  takeOutFingerprints,
  type TakeOutInput,
} from './moves/merge-issues.ts'
export { openShare, setPublicLinks, SHARE_DAYS, shareIssue, unshareIssue } from './shares/share-issue.ts'
export { createPostLimit } from './post-limit.ts'
export { deleteEvents, restoreEvents } from './moves/delete-events.ts'
export { deleteIssues, type DeletedIssues, stopDiscarding } from './moves/delete-issues.ts'
export {
  createMonitor,
  deleteMonitor,
  pauseMonitor,
  updateMonitor,
  type UptimeInput,
} from './uptime/change-monitor.ts'
export { createCron, type CronInput, cronSlug, deleteCron, updateCron } from './crons/change-cron.ts'
export { CRON_SWITCHES, type CronSwitch, switchCron } from './crons/switch-cron.ts'
export {
  createStatusPage,
  deleteStatusPage,
  publishStatusPage,
  type StatusPageInput,
  updateStatusPage,
} from './status/change-page.ts'
export { chooseStatusComponents, type StatusComponentsInput } from './status/choose-components.ts'
export {
  deleteStatusIncident,
  postStatusIncident,
  scheduleMaintenance,
  type StatusIncidentInput,
  type StatusMaintenanceInput,
  updateStatusIncident,
} from './status/post-incident.ts'
export {
  confirmSubscription,
  deleteStatusSubscriber,
  lookAtConfirmation,
  subscribeToStatus,
  unsubscribeFromStatus,
} from './status/subscribe.ts'
export { checkNow, tryMonitor } from './uptime/try-monitor.ts'
export { tellOperators } from './tell-operators.ts'
export { writeAuditOf } from './audit.ts'
