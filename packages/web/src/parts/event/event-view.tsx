/** One event from what explains most to what explains least; a part that was not sent is not there. */
import type { EventDetail, GroupingReason } from '@sonde/queries'
import type { IssueLinks } from '../issue/issue-links.ts'
import { KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'
import { AttachmentsSection, type ShownAttachment } from './attachments-section.tsx'
import { BreadcrumbsSection } from './breadcrumbs-section.tsx'
import { ContextsSection } from './contexts-section.tsx'
import { DoctorContext } from './doctor/doctor-notes.tsx'
import type { EventDoctor } from './doctor/event-doctor.ts'
import { ExceptionsSection } from './exceptions-section.tsx'
import { HighlightList } from './highlight-list.tsx'
import { GroupingSection } from './grouping-section.tsx'
import { MessageSection } from './message-section.tsx'
import { RawJson } from './raw-json.tsx'
import { RemarksSection } from './remarks-section.tsx'
import { ReportSections } from './report-section.tsx'
import { RequestSection } from './request-section.tsx'
import { SdkSection } from './sdk-section.tsx'
import { jumpsOf, SectionJumps } from './section-jumps.tsx'
import { TagsSection } from './tags-section.tsx'
import { ThreadsSection } from './threads-section.tsx'
import { TraceSection } from './trace-section.tsx'
import { UserSection } from './user-section.tsx'

export type EventViewProps = {
  readonly links: IssueLinks
  readonly detail: Pick<EventDetail, 'event'>
  readonly grouping?: GroupingReason | undefined
  readonly attachments: readonly ShownAttachment[]
  readonly doctor?: EventDoctor | undefined
}

export function EventView({ links, detail, grouping, attachments, doctor }: EventViewProps) {
  const { event } = detail
  const { errors = [], _meta: remarks = {} } = event
  const exceptions = event.exception ?? []
  const threads = event.threads ?? []
  const hasTrace = exceptions.some(({ stacktrace }) => stacktrace && stacktrace.frames.length > 0)
  const message = event.logentry?.formatted ?? event.logentry?.message
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
      <SectionJumps jumps={jumpsOf(event, attachments.length)} />
      {event.tags && event.tags.length > 0 && <TagsSection tags={event.tags} links={links} />}
      {event.logentry && message !== undefined && message !== '' && (
        <MessageSection logentry={event.logentry} />
      )}
      {event.unknown && <ReportSections unknown={event.unknown} />}
      {exceptions.length > 0 && <ExceptionsSection event={event} />}
      {!hasTrace && threadsSection}
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
      {event.contexts && <ContextsSection contexts={event.contexts} />}
      {event.extra && Object.keys(event.extra).length > 0 && (
        <Section id="extra" title="Additional data">
          <KeyValues caption="Additional data" rows={Object.entries(event.extra)} />
        </Section>
      )}
      {hasTrace && threadsSection}
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
