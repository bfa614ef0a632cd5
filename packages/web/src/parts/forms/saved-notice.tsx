import { useSearchParams } from '@sonde/router'

/** What the last form did. In the address, so that it is said without JavaScript too. */
export function SavedNotice() {
  const [search] = useSearchParams()
  const text = savedText(search.get('saved'))
  return (
    <div role="status" className="saved-place">
      {text !== undefined && <p className="saved-notice">{text}</p>}
    </div>
  )
}

/** What `?saved=` of the settings says. Only these are shown: an address cannot put words into the page. */
const SAVED_FORMS = {
  project: 'Project saved.',
  'key-made': 'Key created.',
  'key-changed': 'Key saved.',
  'key-enabled': 'Key enabled.',
  'key-disabled': 'Key disabled. Events sent with it are rejected.',
  'key-rotated': 'Key rotated. Update your app with the new DSN.',
  'key-deleted': 'Key deleted.',
  'key-gone': 'This key no longer exists.',
  filters: 'Filters saved. They apply to new events.',
  scrubbing: 'Scrubbing rules saved. They apply to new events.',
  'grouping-rules': 'Grouping rules saved. They apply to new events.',
  'grouping-version': 'Grouping version changed. Issues that exist are kept.',
  ownership: 'Ownership rules saved. They apply to new and regressed issues.',
  codeowners: 'CODEOWNERS file saved.',
  'codeowners-deleted': 'CODEOWNERS file deleted.',
  'codeowners-owner': 'Owner saved.',
  'discard-stopped': 'No longer discarded. The next event makes a new issue.',
  'rate-limit': 'Rate limit saved.',
  spikes: 'Spike protection saved. It applies to new events.',
  sampling: 'Sampling rules saved. They apply to new data.',
  'span-caps': 'Span quotas saved.',
  domains: 'Allowed domains saved.',
  name: 'Profile saved.',
  'email-requested': 'Open the link in the mail to the new address. Until then nothing changes.',
  password: 'Password changed. Your other sessions were signed out.',
  'password-and-tokens': 'Password changed. Your other sessions were signed out and your tokens deleted.',
  'two-factor-off': 'Two-factor authentication turned off.',
  'passkey-added': 'Passkey added. It is asked for after your password, and signs you in by itself.',
  'passkey-removed': 'Passkey removed.',
  'session-ended': 'Session signed out.',
  'sessions-ended': 'All other sessions signed out.',
  'reprocess-requested': 'Reprocessing started with the current source maps.',
  'upload-deleted': 'Upload deleted.',
  invited: 'Invitations sent.',
  'invited-members': 'Invitations sent. Whoever is a member already got none.',
  'invitation-renewed': 'Invitation sent again. The earlier link no longer works.',
  'invitation-revoked': 'Invitation revoked. Its link no longer works.',
  'second-factor-on':
    'Members without a second factor must now set one up before they open this organization.',
  'second-factor-off': 'A second factor is no longer required.',
  'team-made': 'Team created. Add members and projects.',
  'team-saved': 'Team saved.',
  'team-deleted': 'Team deleted.',
  'team-joined': 'You are in this team now.',
  'team-left': 'You left the team.',
  'team-member-added': 'Member added to the team.',
  'team-member-removed': 'Member removed from the team.',
  'team-project-saved': 'The team has the project.',
  'team-project-removed': 'The team no longer has the project.',
  'members-see-all': 'Members and viewers see all projects now.',
  'members-see-teams': 'Members and viewers see only the projects of their teams now.',
  'member-role': 'Role changed.',
  'member-removed': 'Member removed.',
  'public-links-on': 'Issues may be shared by public links.',
  'public-links-off': 'Public links no longer work.',
  'endless-on': 'New tokens may now be created without an expiration date.',
  'endless-off': 'New tokens must now have an expiration date.',
  'token-deleted': 'Token deleted.',
  'channel-made': 'Channel created. Send a test message to see whether it works.',
  'channel-saved': 'Channel saved.',
  'channel-deleted': 'Channel deleted.',
  'channel-retry': 'The message goes out again within a second. Reload to see the answer.',
  'sso-saved': 'Provider saved. Test the connection, then turn single sign-on on.',
  'sso-kept': 'Provider saved.',
  'sso-tested': 'The test worked. What the provider told stands below.',
  'sso-on': 'Single sign-on is on.',
  'sso-off': 'Single sign-on is off. People sign in with their password.',
  'sso-domain': 'Domain added.',
  'sso-domain-verified': 'Domain verified.',
  'sso-domain-removed': 'Domain removed.',
  'sso-groups': 'Mapping saved. It applies at each person’s next sign-in.',
  'sso-deleted': 'Single sign-on deleted.',
  'tracker-saved': 'Connection saved.',
  'tracker-deleted': 'Connection deleted.',
  notifications: 'Notification settings saved.',
  'notifications-project': 'Notification settings of the project saved.',
  'push-on': 'Notifications switched on for this browser.',
  'push-off': 'Notifications switched off for that browser.',
  'alert-made': 'Alert rule created.',
  'alert-saved': 'Alert rule saved.',
  'alert-on': 'Alert rule turned on.',
  'alert-off': 'Alert rule turned off.',
  'alert-muted': 'Alert rule muted.',
  'alert-mute-past': 'Not muted: choose a time that is still to come.',
  'alert-unmuted': 'Alert rule no longer muted.',
  'alert-copied': 'Alert rule duplicated. The copy is off until you turn it on.',
  'alerts-full': 'Not duplicated: the project has 500 rules, which is the limit. Delete one first.',
  'alert-not-copied': 'Not duplicated: this rule can no longer be saved as it is. Open it to see why.',
  'alert-deleted': 'Alert rule deleted.',
  'incident-acknowledged': 'Incident acknowledged.',
  'incident-resolved': 'Incident resolved.',
  'incident-noted': 'Note added.',
  'notification-retried': 'Notification queued again.',
} as const

export type SavedForm = keyof typeof SAVED_FORMS

const savedText = (saved: string | null): string | undefined =>
  saved !== null && Object.hasOwn(SAVED_FORMS, saved) ? SAVED_FORMS[saved as SavedForm] : undefined
