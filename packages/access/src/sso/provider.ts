/**
 * What a sign-in provider of an organization tells of a person, and the ways in which a sign-in by it ends without one. The
 * protocols are next door: `oidc.ts`, `saml.ts`.
 */
import { SondeError } from '@sonde/base'

/** A person as the provider knows them, after every check of the protocol. */
export type SsoPerson = {
  /** The provider's own id, which it never gives to somebody else: `sub`, or a `NameID`. */
  readonly subject: string
  /** Lower case; undefined: the provider told none. */
  readonly email: string | undefined
  /** Whether the provider stands for the address being this person's. */
  readonly isEmailVerified: boolean
  readonly name: string | undefined
  /** As the provider writes them; at most `MAX_GROUPS`. */
  readonly groups: readonly string[]
}

/** Entra ID puts up to 200 into a token: https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference */
const MAX_GROUPS = 1_000
const MAX_GROUP_CHARS = 500
const MAX_SUBJECT_CHARS = 500
const MAX_EMAIL_CHARS = 254
const MAX_NAME_CHARS = 100

/** Literal: they stand in addresses of the sign-in page, in the audit and in the log. */
const SSO_FAILURES = [
  /** The provider says that this person may not, or that they pressed "Cancel". */
  'denied',
  /** The browser comes back too late, a second time, or never left from here. */
  'expired',
  /** The provider's own error. */
  'provider-error',
  /** No answer of it, or one that is not of its protocol. */
  'unreachable',
  /** The client id or secret is not the provider's. */
  'wrong-client',
  /** The proof is not valid: its signature, issuer, audience, or what it answers. */
  'wrong-proof',
  /** The proof would be valid at another time. */
  'wrong-time',
  'no-email',
  'unverified-email',
  'wrong-domain',
  /** What stands in the place of the groups is no list of them, or too many: teams and roles would follow a part. */
  'wrong-groups',
  /** Somebody with this address has an account that may not be connected without them. */
  'has-account',
  /** There is no account, and none is made. */
  'no-account',
  'disabled',
  /** The organization has no provider, or it is off. */
  'off',
  'too-many',
  /** A test or a connection that somebody else began, or whose session has ended. */
  'other-person',
] as const
export type SsoFailure = (typeof SSO_FAILURES)[number]

/** `message`: for owners, who set the provider up; whoever signs in reads words by `reason`. */
export class SsoRefusal extends SondeError {
  readonly reason: SsoFailure

  constructor(reason: SsoFailure, message: string, cause?: unknown) {
    super(reason === 'unreachable' ? 'unavailable' : 'forbidden', message, {
      operation: 'sign in with single sign-on',
      cause,
    })
    this.name = 'SsoRefusal'
    this.reason = reason
  }
}

/** What of the provider's words is taken, bounded. Throws `SsoRefusal` without an id. */
export function personFrom(told: {
  readonly subject: unknown
  readonly email: unknown
  readonly isEmailVerified: boolean
  readonly name: unknown
  readonly groups: unknown
  /** It says that they are to be asked for at another address, which nobody asks. */
  readonly hasGroupsElsewhere?: boolean
}): SsoPerson {
  const subject = textOf(told.subject)
  if (subject === '' || subject.length > MAX_SUBJECT_CHARS)
    throw new SsoRefusal('wrong-proof', 'the provider told no id for this person, or one that is too long')
  const email = textOf(told.email).toLowerCase()
  const isEmail = email.length <= MAX_EMAIL_CHARS && /^[^\s@]+@[^\s@]+$/.test(email)
  const name = textOf(told.name).slice(0, MAX_NAME_CHARS)
  return {
    subject,
    email: isEmail ? email : undefined,
    isEmailVerified: told.isEmailVerified,
    name: name === '' ? undefined : name,
    groups: groupsOf(told.groups, told.hasGroupsElsewhere === true),
  }
}

/** A list of texts, one text, or nothing. One that is too long leads to no team: no mapping can name it. */
function groupsOf(told: unknown, isElsewhere: boolean): readonly string[] {
  const wrong = (what: string) => new SsoRefusal('wrong-groups', `the claim "groups" of the provider ${what}`)
  if (isElsewhere)
    throw wrong(
      'points to somewhere else, as Entra ID does for people in many: let it send assigned groups only',
    )
  const texts = told === undefined || told === null ? [] : [told].flat()
  if (!texts.every((each) => typeof each === 'string')) throw wrong('is not a list of names')
  const groups = [...new Set(texts)].filter((each) => each.length <= MAX_GROUP_CHARS)
  if (groups.length <= MAX_GROUPS) return groups
  const [has, most] = [groups.length, MAX_GROUPS].map((each) => each.toLocaleString('en'))
  throw wrong(
    `has ${has} groups, and ${most} at most are read: let the provider send only those that are mapped`,
  )
}

/** An attribute with one value may come as a list of one. */
function textOf(told: unknown): string {
  const [first] = [told].flat() as readonly unknown[]
  return typeof first === 'string' ? first.trim() : ''
}

/** The part behind the last `@`. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Clocks of providers and ours differ by so much at most. */
export const CLOCK_SKEW_SEC = 60
