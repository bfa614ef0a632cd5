/**
 * What is told, before it takes the form of a mail or a chat: written when the rule fires, so that a message delivered an hour
 * later says what was then.
 */
import type { AnyGrant } from '@sonde/access'
import type { JudgedMeasure, ReleaseVerdict } from '@sonde/queries'

export const MESSAGE_KINDS = [
  'new',
  'regressed',
  'reopened',
  'first_seen_in_release',
  'first_seen_in_environment',
  'events',
  'users',
  'escalating',
  'metric',
  'acknowledged',
  'spike',
  'uptime',
  'cron',
  'release',
  'resolved',
  'comment',
  'assigned',
  'unassigned',
  'ignored',
  'activity',
  'digest',
  'test',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]
/** What people do about issues: told to those who are subscribed, never by a rule. `activity`: several of a kind. */
export type ActivityMessageKind = 'comment' | 'assigned' | 'unassigned' | 'ignored' | 'activity'

export type Message = {
  readonly kind: MessageKind
  /** `New issue in acme/shop`. */
  readonly headline: string
  /** `TypeError: x is undefined`: as the sender's program wrote it, so never trusted as markup. */
  readonly title: string
  /** Where in the code or on which route; empty: not known. */
  readonly place: string
  readonly level: string
  /** `Release` → `shop@1.2.0`; without what is empty. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Where to read on. */
  readonly url: string
  readonly org: string
  readonly project: string
  readonly issue?: { readonly id: number; readonly shortId: string }
  readonly rule?: { readonly id: number; readonly name: string }
  readonly incidentId?: number
  /** Of a release that was judged, for programs that gate a deployment. */
  readonly verdict?: {
    readonly verdict: ReleaseVerdict
    readonly release: string
    /** Null: it is the first. */
    readonly before: string | null
    readonly measures: readonly (JudgedMeasure & { readonly sentence: string })[]
    readonly absent: readonly string[]
  }
  /** Of what begins and ends without an incident: the same in both messages. */
  readonly series?: string
  readonly atMs: number
  /** Of a digest: what it stands for, the first of `count`. */
  readonly parts?: readonly Pick<Message, 'headline' | 'title' | 'url'>[]
  readonly count?: number
  /** Of what others did about issues: `you were mentioned`. */
  readonly reason?: string
  /** Of a comment: its text, as it was typed, cut. */
  readonly quote?: string
  readonly commentId?: number
}

export const readMessage = (text: string): Message => JSON.parse(text) as Message

const HEADLINES: Readonly<Record<Exclude<MessageKind, 'digest' | 'test' | ActivityMessageKind>, string>> = {
  new: 'New issue',
  regressed: 'Regression',
  reopened: 'Reopened',
  first_seen_in_release: 'First seen in a release',
  first_seen_in_environment: 'First seen in an environment',
  events: 'Many events',
  users: 'Many users',
  escalating: 'Escalating',
  metric: 'Metric alert',
  acknowledged: 'Acknowledged',
  spike: 'Spike',
  uptime: 'Down',
  cron: 'Monitor failed',
  release: 'Release verdict',
  resolved: 'Resolved',
}

export const headlineOf = (kind: keyof typeof HEADLINES, project: string): string =>
  `${HEADLINES[kind]} in ${project}`

/** For the button that tries a channel. */
export function testMessage(
  { orgSlug }: Pick<Extract<AnyGrant, { orgSlug: string }>, 'orgSlug'>,
  publicUrl: string,
  atMs: number,
): Message {
  return {
    kind: 'test',
    headline: `Test message of Sonde for ${orgSlug}`,
    title: 'This channel works.',
    place: '',
    level: 'info',
    facts: [],
    url: `${publicUrl}/${orgSlug}/settings`,
    org: orgSlug,
    project: '',
    atMs,
  }
}

const SHOWN_PARTS = 10

/** `period`: `within a minute`. */
export type DigestOf = { readonly url: string; readonly period: string; readonly atMs: number }

/** One message for many. */
export function digestOf(messages: readonly Message[], { url, period, atMs }: DigestOf): Message {
  const [first] = messages
  const projects = [...new Set(messages.map(({ org, project }) => `${org}/${project}`))]
  const noun = messages.some(({ reason }) => reason !== undefined) ? 'notifications' : 'alerts'
  return {
    kind: 'digest',
    headline: `${messages.length} ${noun} in ${projects.length === 1 ? projects[0] : `${projects.length} projects`}`,
    title: `${messages.length} ${noun} ${period}: this message stands for all of them.`,
    place: '',
    level: 'error',
    facts: [],
    url,
    org: first?.org ?? '',
    project: projects.length === 1 ? (first?.project ?? '') : '',
    atMs,
    parts: messages
      .slice(0, SHOWN_PARTS)
      .map(({ headline, title, url: to }) => ({ headline, title, url: to })),
    count: messages.length,
  }
}
