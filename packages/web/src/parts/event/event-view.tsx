/** One event from what explains most to what explains least; a part that was not sent is not there. */
import type { Json, JsonObject, NormalizedEvent, Pair, UserInfo } from '@sonde/protocol/event'
import type { EventDetail, EventImages, GroupingReason } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { JsonValue, KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'
import { LongText, titleOf, UserText } from '../../ui/user-text.tsx'
import type { IssueLinks } from '../issue/issue-links.ts'
import { ReleaseLink } from '../release-link.tsx'
import { AttachmentsSection, type ShownAttachment } from './attachments-section.tsx'
import { BreadcrumbsSection } from './breadcrumbs-section.tsx'
import { ContextsSection, SdkSection } from './contexts-section.tsx'
import { DoctorContext } from './doctor/doctor-notes.tsx'
import type { EventDoctor } from './doctor/event-doctor.ts'
import { EvidenceSection } from './evidence-section.tsx'
import { evidenceOf } from './evidence.ts'
import { ExceptionsSection } from './exceptions-section.tsx'
import { FailedRequestSection, type ShownFailedRequest } from './failed-request-section.tsx'
import { highlights } from './highlights.ts'
import { ImagesSection } from './images-section.tsx'
import { LazyFold } from './lazy-fold.tsx'
import { GroupingSection, RemarksSection } from './processing-sections.tsx'
import { ReplaySection, type ShownReplays } from './replay-section.tsx'
import { RequestSection } from './request-section.tsx'
import { ThreadsSection } from './threads-section.tsx'
import { TraceSection } from './trace-section.tsx'

type RawJsonProps = { readonly event: NormalizedEvent; readonly href: string }

const MAX_CHARS = 200_000

const textOf = (event: NormalizedEvent): string => JSON.stringify(event, undefined, 2)

/** The stored event. Its text is made when it is unfolded: most readers never do. */
function RawJson({ event, href }: RawJsonProps) {
  return (
    <Section
      id="json"
      title="Raw JSON"
      actions={<CopyButton text={() => textOf(event)} what="the event as JSON" />}
    >
      <LazyFold className="fold" summary="Stored event">
        {() => {
          const text = textOf(event)
          return (
            <pre className="json" tabIndex={0} aria-label="Event as JSON">
              <code>{text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n…` : text}</code>
            </pre>
          )
        }}
      </LazyFold>
      <p className="json-file">
        <a href={href}>Open raw JSON</a>
      </p>
    </Section>
  )
}

const NAMES: readonly (readonly [keyof UserInfo, string])[] = [
  ['id', 'Id'],
  ['username', 'Username'],
  ['name', 'Name'],
  ['email', 'E-mail'],
  ['ip_address', 'IP address'],
  ['geo', 'Location'],
]

function UserSection({ user }: { readonly user: UserInfo }) {
  const known = NAMES.flatMap(([field, name]): (readonly [string, Json])[] => {
    const value = user[field]
    return value === undefined ? [] : [[name, value]]
  })
  const rows = [...known, ...Object.entries(user.data ?? {})]
  if (rows.length === 0) return null
  return (
    <Section id="user" title="User">
      <KeyValues caption="User" rows={rows} />
    </Section>
  )
}

const REPORTS = {
  csp: 'Content security policy report',
  hpkp: 'Public key pinning report',
  expectct: 'Certificate transparency report',
  expectstaple: 'OCSP stapling report',
  nel: 'Network error report',
  template: 'Template',
} as const

/** What browsers report by themselves, and other parts of an event that are kept as they came. */
function ReportSections({ unknown }: { readonly unknown: JsonObject }) {
  return (Object.keys(REPORTS) as (keyof typeof REPORTS)[]).map((key) => {
    const report = unknown[key]
    if (typeof report !== 'object' || report === null) return null
    return (
      <Section key={key} id={key} title={REPORTS[key]}>
        <KeyValues caption={REPORTS[key]} rows={Object.entries(report)} />
      </Section>
    )
  })
}

type EventViewProps = {
  readonly links: IssueLinks
  readonly detail: Pick<EventDetail, 'event'>
  readonly grouping?: GroupingReason | undefined
  readonly attachments: readonly ShownAttachment[]
  readonly doctor?: EventDoctor | undefined
  readonly images?: EventImages | undefined
  readonly replays?: ShownReplays | undefined
  readonly issueId?: number | undefined
  readonly failedRequest?: ShownFailedRequest | undefined
}

export function EventView({
  links,
  detail,
  grouping,
  attachments,
  doctor,
  images,
  replays,
  issueId,
  failedRequest,
}: EventViewProps) {
  const { event } = detail
  const { errors = [], _meta: remarks = {} } = event
  const exceptions = event.exception ?? []
  const threads = event.threads ?? []
  const hasTrace = exceptions.some(({ stacktrace }) => stacktrace && stacktrace.frames.length > 0)
  const message = event.logentry?.formatted ?? event.logentry?.message
  const evidence = evidenceOf(event)
  const { evidence: _, ...otherContexts } = event.contexts ?? {}
  const contexts = evidence ? otherContexts : event.contexts
  const traceId = idOf(event.contexts?.trace?.trace_id)
  const threadsSection = threads.length > 0 && (
    <ThreadsSection
      threads={threads}
      exceptions={exceptions}
      platform={event.platform}
      isAlone={exceptions.length === 0}
    />
  )
  return (
    <DoctorContext value={doctor}>
      <HighlightList event={event} />
      <SectionJumps jumps={jumpsOf(event, attachments.length, images !== undefined)} />
      {evidence && <EvidenceSection evidence={evidence} event={event} traceId={traceId} />}
      {failedRequest && <FailedRequestSection failed={failedRequest} />}
      {event.tags && event.tags.length > 0 && <TagsSection tags={event.tags} links={links} />}
      {!evidence && event.logentry && message !== undefined && message !== '' && (
        <MessageSection logentry={event.logentry} />
      )}
      {event.unknown && <ReportSections unknown={event.unknown} />}
      {exceptions.length > 0 && <ExceptionsSection event={event} />}
      {!hasTrace && threadsSection}
      {replays && issueId !== undefined && <ReplaySection issueId={issueId} replays={replays} />}
      {traceId !== undefined && (
        <TraceSection
          traceId={traceId}
          spanId={idOf(event.contexts?.trace?.span_id)}
          eventMs={event.timestamp * 1000}
        />
      )}
      {event.breadcrumbs && event.breadcrumbs.length > 0 && (
        <BreadcrumbsSection breadcrumbs={event.breadcrumbs} eventMs={event.timestamp * 1000} />
      )}
      {event.request && <RequestSection request={event.request} />}
      {event.user && <UserSection user={event.user} />}
      {contexts && <ContextsSection contexts={contexts} />}
      {event.extra && Object.keys(event.extra).length > 0 && (
        <Section id="extra" title="Additional data">
          <KeyValues caption="Additional data" rows={Object.entries(event.extra)} />
        </Section>
      )}
      {hasTrace && threadsSection}
      {images && <ImagesSection images={images} />}
      {attachments.length > 0 && (
        <AttachmentsSection attachments={attachments} eventId={event.event_id} links={links} />
      )}
      <SdkSection event={event} />
      {grouping && <GroupingSection grouping={grouping} />}
      <RemarksSection errors={errors} meta={remarks} />
      <RawJson event={event} href={links.json(event.event_id)} />
    </DoctorContext>
  )
}

/** Ids as SDKs write them; what is none would be an address that leads nowhere. */
const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{16,32}$/i.test(value) ? value : undefined

/** The message, and the template it was made from where that differs. */
function MessageSection({ logentry }: { readonly logentry: NonNullable<NormalizedEvent['logentry']> }) {
  const { message, formatted, params } = logentry
  const text = formatted ?? message ?? ''
  return (
    <Section id="message" title="Message">
      <p className="message-text">
        <LongText text={text} />
      </p>
      {formatted !== undefined && message !== undefined && message !== formatted && (
        <p className="muted message-template">
          from <LongText text={message} max={300} />
        </p>
      )}
      {params !== undefined && params !== null && <JsonValue value={params} />}
    </Section>
  )
}

type TagsSectionProps = { readonly tags: readonly Pair[]; readonly links: IssueLinks }

/** This event's tags; a press leaves the issue's events that have the same. */
function TagsSection({ tags, links }: TagsSectionProps) {
  return (
    <Section id="tags" title="Tags">
      <ul className="tag-list">
        {tags.slice(0, 200).map(([key, value], index) => (
          <li key={index}>
            <Link
              className="tag"
              to={links.withTag(key, value)}
              prefetch="none"
              aria-current={links.hasTag(key, value) || undefined}
              title={`${titleOf(key)}: ${titleOf(value)}`}
            >
              <bdi className="tag-key">{key}</bdi>
              <bdi className="tag-value">{value === '' ? '""' : value}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function HighlightList({ event }: { readonly event: NormalizedEvent }) {
  const { org } = useParams<'org'>()
  const shown = highlights(event)
  if (shown.length === 0) return null
  return (
    <dl className="highlights">
      {shown.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {name === 'Trace' ? (
              <Link to={paths.trace(org, value)} title="View full trace">
                <UserText text={value} />
              </Link>
            ) : name === 'Release' ? (
              <ReleaseLink release={value} />
            ) : (
              <UserText text={value} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Jump = readonly [id: string, title: string]

/** The long sections of the event, in the order of the page; what was not sent is not there. */
function jumpsOf(event: NormalizedEvent, attachmentCount: number, hasImages: boolean): readonly Jump[] {
  const rows: readonly (readonly [...Jump, isThere: unknown])[] = [
    ['evidence', 'Evidence', evidenceOf(event)],
    ['tags', 'Tags', event.tags?.length],
    ['exception', 'Stack trace', event.exception?.length],
    ['trace', 'Trace', event.contexts?.trace?.trace_id],
    ['breadcrumbs', 'Breadcrumbs', event.breadcrumbs?.length],
    ['request', 'Request', event.request],
    ['contexts', 'Contexts', event.contexts],
    ['threads', 'Threads', event.threads?.length],
    ['images', 'Loaded images', hasImages],
    ['attachments', 'Attachments', attachmentCount],
  ]
  return rows.flatMap(([id, title, isThere]) => (isThere ? [[id, title] as const] : []))
}

/** Where in a long event one wants to be. Of a short one everything is in sight already. */
const MIN_JUMPS = 3

function SectionJumps({ jumps }: { readonly jumps: readonly Jump[] }) {
  if (jumps.length < MIN_JUMPS) return null
  return (
    <nav className="section-jumps" aria-label="Sections of the event">
      <span className="muted">Jump to</span>
      {jumps.map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  )
}
