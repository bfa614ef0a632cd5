import { usePageData, useParams } from '@sonde/router'
import { EventView } from '../event/event-view.tsx'
import type { loadIssuePage } from '../server/load-issue-page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { EventBar } from './event-bar.tsx'
import { IssueHead } from './issue-head.tsx'
import { IssueSide } from './issue-side.tsx'

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

export function IssueScreen({ issue, detail, grouping, mayChange, choice }: IssueScreenProps) {
  const { org } = useParams<'org'>()
  return (
    <div className="page page-wide issue-page">
      <IssueHead issue={issue} mayChange={mayChange} />
      <div className="issue-columns">
        <div className="issue-main">
          {detail ? (
            <>
              <EventBar org={org} issue={issue} detail={detail} choice={choice} />
              {/* Made anew for another event, so that what was unfolded in this one is not there. */}
              <EventView
                key={detail.event.event_id}
                org={org}
                issue={issue}
                detail={detail}
                grouping={grouping}
              />
            </>
          ) : (
            <EmptyState title="Its events are gone">
              <p>All of this issue&rsquo;s events are older than what is kept. The counts remain.</p>
            </EmptyState>
          )}
        </div>
        <IssueSide org={org} issue={issue} />
      </div>
    </div>
  )
}
