/** What the screens' loads and actions work with. */
import type { Access, Grant, Grants, UserViewer } from '@sonde/access'
import type { Clock } from '@sonde/base'
import type { CommandDeps, PreviewScrub, SendTestEvent } from '@sonde/commands'
import type { DetectSpans, GroupStored, QueryDeps } from '@sonde/queries'
import type { Blobs } from '@sonde/stores'
import type { OperatorParts } from './operator-parts.server.ts'
import type { SelfReportPart } from './self-report.server.ts'

/** One per request: `context` of every load and action. */
export type AppContext = {
  /** Undefined: nobody is signed in. */
  readonly viewer: UserViewer | undefined
  /** What the viewer may open; undefined when nobody is signed in. */
  readonly grants?: Grants | undefined
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  /** Under which browsers and SDKs reach this Sonde, without a trailing slash. */
  readonly publicUrl: string
  readonly clock: Clock
  /** Where the request came from, as the front saw it; sign-in is limited by it. */
  readonly clientAddress: string | undefined
} & ServerParts

/** Each within a minute; what is missing has no limit. */
export type ShownSpikes = {
  readonly events?: number
  readonly spans?: number
  readonly bytes?: number
  /** New ones. */
  readonly issues?: number
  readonly releases?: number
  /** An hour takes so many times as much. */
  readonly hourTimes: number
}

/** What only the composition root can build, because it lies in packages that screens may not import. */
type ServerParts = {
  /** Where attachments and recordings lie. */
  readonly blobs: Pick<Blobs, 'open' | 'get'>
  /** Tries scrubbing rules on a sample: the live tester. */
  readonly previewScrub: PreviewScrub
  /** Runs the detectors of performance issues on the spans of one transaction, with rules that are only tried. */
  readonly detectSpans: DetectSpans
  /** Groups stored events by rules that are only tried. */
  readonly groupStored: GroupStored
  /** Whether mail is set up: without it a choice about mail says so. */
  readonly hasMail: boolean
  /** Sends a test message to a channel: what the other side answered. Throws `SondeError` (`not-found`). */
  readonly testChannel: (
    grant: Grant<'integration:write', 'org'>,
    input: { readonly channelId: number },
  ) => Promise<{ readonly isDelivered: boolean; readonly answer: string }>
  /** What browsers subscribe to notifications with, in base64url. */
  readonly pushKey: () => Promise<string>
  /** Sends a test notification to one of the person's browsers. Throws `SondeError` (`not-found`). */
  readonly testPush: (
    viewer: UserViewer,
    input: { readonly id: number },
  ) => Promise<{ readonly isDelivered: boolean; readonly answer: string }>
  /** Posts a sample event through the real door. */
  readonly sendTestEvent: SendTestEvent
  /** How long events are kept, in the whole installation: no project has its own yet. */
  readonly retentionDays: number
  /** How long entries of the audit log are kept. */
  readonly auditRetentionDays: number
  /** What a project may send that has no limit of its own. */
  readonly spikes: ShownSpikes
  /** Whether these screens report to this Sonde. */
  readonly selfReport: SelfReportPart
  /** For the operator's page. */
  readonly operator: OperatorParts
}

export type AppContextDeps = ServerParts & {
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  readonly publicUrl: string
  readonly clock: Clock
  readonly clientAddress?: (headers: Headers) => string | undefined
}

type AnswerHeaders = { readonly appendHeader: (name: string, value: string) => void }

/**
 * For `createPageHandler({ createContext })`. A request without our cookie costs no read. A session in use is renewed
 * about once an hour: the cookie goes out with whatever is answered.
 */
export function createAppContext(
  deps: AppContextDeps,
): (request: Request, answer: AnswerHeaders) => Promise<AppContext> {
  const { clientAddress, ...parts } = deps
  return async ({ headers }, answer) => {
    const viewer = await deps.access.viewerFromCookies(headers, (cookie) =>
      answer.appendHeader('set-cookie', cookie),
    )
    const grants = viewer && deps.access.grantsFor(viewer)
    return { ...parts, viewer, grants, clientAddress: clientAddress?.(headers) }
  }
}
