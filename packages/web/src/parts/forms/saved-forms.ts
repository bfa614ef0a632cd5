/** What `?saved=` of the settings says. Only these are shown: an address cannot put words into the page. */
const SAVED_FORMS = {
  project: 'The project was saved.',
  'key-made': 'The key was made. Its DSN works within about a second.',
  'key-changed': 'The key was saved.',
  'key-enabled': 'The key is enabled: what is sent with it is taken again.',
  'key-disabled': 'The key is disabled: what is sent with it is refused.',
  'key-rotated': 'A new key was made in place of the old one. Put its DSN into your app.',
  'key-deleted': 'The key was deleted.',
  'key-gone': 'This key no longer exists.',
  filters: 'The filters were saved. They hold for events that arrive from now on.',
  scrubbing: 'The scrubbing rules were saved. They hold for events that arrive from now on.',
  'rate-limit': 'The limit was saved. It holds within about a second.',
  sampling: 'The sampling rules were saved. They hold for what arrives from now on.',
  'span-caps': 'The caps were saved. They hold within about a second.',
  domains: 'The allowed domains were saved. They hold within about a second.',
  name: 'Your name was saved.',
  password: 'The password was changed. Your other sessions have ended.',
  'password-and-tokens': 'The password was changed. Your other sessions have ended, and your tokens.',
  'two-factor-off': 'Two-factor sign-in is off: your password alone signs you in.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All other sessions have ended.',
  'repair-asked': 'What is not readable is read again, with the source maps that are there now.',
  'upload-deleted': 'The upload was deleted.',
  'member-role': 'The role was changed. It holds from the next request on.',
  'member-removed': 'The member was removed, and is out from the next request on.',
  'endless-on': 'New tokens may be without an end from now on.',
  'endless-off': 'New tokens expire from now on.',
  'token-deleted': 'The token was deleted.',
} as const

export type SavedForm = keyof typeof SAVED_FORMS

export const savedText = (saved: string | null): string | undefined =>
  saved !== null && Object.hasOwn(SAVED_FORMS, saved) ? SAVED_FORMS[saved as SavedForm] : undefined
