import type { SsoFailure } from '@sonde/access'

/** What whoever signs in reads, and what they can do. Owners read more in the settings. */
const WORDS: Readonly<Record<SsoFailure, string>> = {
  denied: 'The sign-in provider refused, or the sign-in was cancelled. Try again, or ask who manages it.',
  expired: 'This sign-in took too long, was finished before, or was begun in another browser. Try again.',
  'provider-error':
    'The sign-in provider reported an error. Try again; if it stays, tell an owner of the organization.',
  unreachable: 'The sign-in provider did not answer. Try again in a moment.',
  'wrong-client':
    'The sign-in provider does not accept this Sonde. Tell an owner of the organization: the client ID or secret is wrong.',
  'wrong-proof':
    'What the sign-in provider sent is not valid. Tell an owner of the organization: the setup does not match.',
  'wrong-time':
    'What the sign-in provider sent is not valid now. Try again; if it stays, the clocks of the two servers differ.',
  'no-email': 'The sign-in provider told no email address. Tell an owner of the organization.',
  'unverified-email':
    'Your email address is not verified at the sign-in provider. Verify it there, then try again.',
  'wrong-domain':
    'Your email address is not of a domain of this organization. Ask an owner to add the domain or to invite you.',
  'wrong-groups':
    'The sign-in provider told your groups in a way that cannot be used, or too many. Tell an owner of the organization.',
  'has-account':
    'You already have an account that opens more than this organization. Sign in with your password, open this page again, and connect the account.',
  'no-account': 'You are not a member of this organization. Ask an owner or admin to invite you.',
  disabled: 'This account is disabled. Ask whoever runs this Sonde.',
  off: 'Single sign-on is not set up here. Sign in with your password.',
  'too-many': 'Too many sign-ins. Wait a minute and try again.',
  'other-person': 'Whoever began this is no longer signed in. Sign in and begin again.',
}

/** Of `?failed=` in an address: only these are shown. */
export const failureText = (reason: string | null): string | undefined =>
  reason !== null && Object.hasOwn(WORDS, reason) ? WORDS[reason as SsoFailure] : undefined
