import { laterPart, Link, usePageData, useParams } from '@sonde/router'
import { TimeChart } from '../../../../../charts/time-chart.tsx'
import { isNarrowed } from '../../../../../parts/event-filter/event-filter.ts'
import { type IssueLinks, issueLinks } from '../../../../../parts/issue/issue-links.ts'
import { EmptyState } from '../../../../../ui/section.tsx'
import { EventBar } from './event-bar.tsx'
import { EventSearch } from './event-search.tsx'
import { ExplainIssue } from './explain-issue.tsx'
import { IssueHead } from './issue-head.tsx'
import { IssueSide } from './issue-side.tsx'
import type { loadIssuePage } from './load-issue-page.server.ts'
import { UserReports } from './user-reports.tsx'

/** Two thirds of the screen's code, and nothing in it needs any to be read. */
const EventView = laterPart(() =>
  import('../../../../../parts/event/event-view.tsx').then((module) => module.EventView),
)

/** As JSON leaves it: every value is plain already. */
export type IssueScreenProps = Awaited<ReturnType<typeof loadIssuePage>>

/** Said by hand: the compiler gives up on an event's JSON seen through `DataOf`. */
export function useIssuePage(): IssueScreenProps {
  return usePageData<() => unknown>() as IssueScreenProps
}

export function issueTitle(data: unknown): string {
  const { issue } = data as IssueScreenProps
  const text = issue.title.length > 80 ? `${issue.title.slice(0, 80)}…` : issue.title
  return `${text} · ${issue.shortId} · Sonde`
}

const EVENT_NOUN = ['event', 'events'] as const

export function IssueScreen(props: IssueScreenProps) {
  const {
    issue,
    detail,
    series,
    grouping,
    attachments,
    replays,
    doctor,
    images,
    failedRequest,
    owners,
    suspects,
    similar,
    moving,
    seenBy,
    activity,
    linked,
    mayChange,
    mayDelete,
    latestRelease,
    choice,
    explainer,
    filter,
    refusal,
    reports,
  } = props
  const { org } = useParams<'org'>()
  const links = issueLinks(org, issue.project.slug, issue.shortId, filter)
  return (
    <div className="page page-wide issue-page">
      <IssueHead
        issue={issue}
        fix={activity.commits.find(({ version }) => version === issue.resolvedRelease)}
        latestRelease={latestRelease}
        mayChange={mayChange}
        seenMs={seenBy.mineMs}
      />
      <div className="issue-columns">
        <div className="issue-main">
          {series && (
            <TimeChart
              title="Events"
              noun={EVENT_NOUN}
              series={series}
              zoomTo={(range) => links.withFilter({ range, period: '' })}
            />
          )}
          <EventSearch
            action={links.withFilter({})}
            filter={filter}
            refusal={refusal}
            withFilter={links.withFilter}
          />
          <UserReports org={org} project={issue.project.slug} reports={reports} />
          {detail ? (
            <>
              {explainer && (
                <ExplainIssue
                  key={`explain ${detail.event.event_id}`}
                  shortId={issue.shortId}
                  eventId={detail.event.event_id}
                  promptUrl={links.prompt(detail.event.event_id)}
                  asked={explainer}
                />
              )}
              <EventBar
                links={links}
                shortId={issue.shortId}
                detail={detail}
                mayDelete={mayDelete}
                choice={choice}
              />
              {/* Made anew for another event, so that what was unfolded in this one is not there. */}
              <EventView
                key={detail.event.event_id}
                links={links}
                detail={detail}
                grouping={grouping}
                attachments={attachments}
                doctor={doctor}
                images={images}
                replays={replays}
                failedRequest={failedRequest}
                issueId={issue.id}
              />
            </>
          ) : (
            !refusal && <NoEvent links={links} />
          )}
        </div>
        <IssueSide
          org={org}
          issue={issue}
          links={links}
          owners={owners}
          suspects={suspects}
          similar={similar}
          moving={moving}
          seenBy={seenBy}
          activity={activity}
          linked={linked}
        />
      </div>
    </div>
  )
}

function NoEvent({ links }: { readonly links: IssueLinks }) {
  return isNarrowed(links.filter) ? (
    <EmptyState title="No matching events">
      <p>
        No stored events match these filters. <Link to={links.unfiltered()}>Clear filters</Link>
      </p>
    </EmptyState>
  ) : (
    <EmptyState title="Events have expired">
      <p>All events of this issue are past the retention period. Counts are preserved.</p>
    </EmptyState>
  )
}
