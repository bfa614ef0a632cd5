/** What every issue tracker is: the form of its settings, how its issues are found, made and changed, and what its webhooks say. */
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { CallTracker } from './call-tracker.ts'

/** An issue as the tracker tells it. */
export type ExternalIssue = {
  /** Stays when the issue moves. */
  readonly id: string
  /** As people call it: `acme/shop#12`, `SHOP-12`. */
  readonly key: string
  readonly url: string
  readonly title: string
  readonly isOpen: boolean
  /** By the tracker's clock. */
  readonly changedMs: number
}

export type IssueDraft = {
  readonly title: string
  /** Markdown. */
  readonly body: string
}

export type ExternalState = 'open' | 'closed'

/** Of one connection. All of it throws `TrackerRefusal`. */
export type TrackerClient = {
  /** As whom the token acts, for people. Fails where a place cannot be reached. */
  check(): Promise<string>
  /** Newest change first, at most `MAX_FOUND`. */
  search(place: string, text: string): Promise<readonly ExternalIssue[]>
  read(key: string): Promise<ExternalIssue>
  /** `onceKey`: the same for each try; a tracker that can, makes one issue of it. */
  create(place: string, draft: IssueDraft, onceKey: string): Promise<ExternalIssue>
  /** Idempotent. */
  setState(issue: Pick<ExternalIssue, 'id' | 'key'>, state: ExternalState): Promise<ExternalIssue>
  /** Markdown. */
  comment(issue: Pick<ExternalIssue, 'id' | 'key'>, text: string): Promise<void>
}

export const MAX_FOUND = 20

/** `places`: repositories, projects or teams that issues may be made, found and linked in; the first is offered first. */
export type TrackerSettings = { readonly places: readonly string[] }

export type WebhookIssue = ExternalIssue & { readonly isDeleted: boolean }

export type Tracker<Settings extends TrackerSettings, Secret> = {
  /** For people: `GitHub`. */
  readonly name: string
  /** What anybody who may see the connection sees. */
  readonly settings: z.ZodType<Settings>
  /** Kept sealed, never shown again. */
  readonly secret: z.ZodType<Secret>
  /** The key that somebody typed or pasted, as the tracker writes it; undefined: it is none. */
  readKey(settings: Settings, text: string): string | undefined
  placeOf(key: string): string
  connect(call: CallTracker, settings: Settings, secret: Secret): TrackerClient
  /** Whether the raw body was signed with the secret: in constant time, before anything is parsed. */
  isSigned(webhookSecret: string, headers: IncomingHttpHeaders, body: Uint8Array): boolean
  /** What a signed body says of an issue; undefined: nothing. `'stale'`: it is too old to be taken. */
  readWebhook(body: unknown, settings: Settings, nowMs: number): WebhookIssue | 'stale' | undefined
}

/** Of a kind that is known at run time only: what its schemas give is what it takes. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTracker = Tracker<any, any>
