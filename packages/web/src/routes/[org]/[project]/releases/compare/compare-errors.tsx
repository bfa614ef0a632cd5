import type { DifferentIssue, ErrorRate, ReleaseDifferences } from '@sonde/queries'
import { Link } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { titleParts } from '../../../../../parts/issue/title-parts.ts'
import { changeText } from '../../../../../parts/performance/change-text.ts'
import { formatRateShare } from '../../../../../parts/performance/format-rate.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { UserText } from '../../../../../ui/user-text.tsx'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'

type Props = {
  readonly org: string
  readonly project: string
  /** What is looked at, and what it is compared with. */
  readonly release: string
  readonly before: string
  readonly differences: ReleaseDifferences
}

/** Whom errors hit in both, and the issues that only one of them has. */
export function CompareErrors({ org, project, release, before, differences }: Props) {
  const { onlyRelease, onlyBefore, change } = differences
  const changed = changeText(change, 'failureRate')
  return (
    <>
      <p className="compare-rate">
        {rateText(differences.release)} in <ReleaseLink release={release} />, {rateText(differences.before)}{' '}
        in <ReleaseLink release={before} />
        {changed ? (
          <>
            :{' '}
            <span className={`change change-${changed.kind}`}>
              <span className="num">{changed.by}</span>{' '}
              <span className="change-verdict">{PEOPLE[changed.kind]}</span>{' '}
              <span className="change-between num">{changed.between}</span>
            </span>
          </>
        ) : (
          <span className="muted"> (too few people to compare)</span>
        )}
      </p>
      <div className="compare-issues">
        <OnlyIn org={org} project={project} release={release} issues={onlyRelease} />
        <OnlyIn org={org} project={project} release={before} issues={onlyBefore} />
      </div>
    </>
  )
}

const PEOPLE = { worse: 'more people', better: 'fewer people', undecided: 'no clear change' } as const

const rateText = ({ people, events, visits }: ErrorRate): string => {
  if (people) return `${formatRateShare(people.value)} of people had an error`
  const seen = visits === 0 ? '' : ` in ${countOf(Math.round(visits), 'visit')}`
  return `${countOf(events, 'error')}${seen}`
}

type OnlyInProps = Pick<Props, 'org' | 'project' | 'release'> & { readonly issues: readonly DifferentIssue[] }

function OnlyIn({ org, project, release, issues }: OnlyInProps) {
  const kept = usePaths()
  return (
    <section aria-label={`Only in ${release}`}>
      <h3>
        Only in <bdi>{release}</bdi>
      </h3>
      {issues.length === 0 ? (
        <p className="muted">No issue of its own in this time.</p>
      ) : (
        <ul className="compare-only">
          {issues.map((issue) => {
            const { name, rest } = titleParts(issue)
            return (
              <li key={issue.shortId}>
                <Link to={kept.issue(org, project, issue.shortId)} prefetch="intent">
                  <bdi>{name}</bdi>
                </Link>{' '}
                {rest !== '' && <UserText className="release-issue-rest" text={rest} />}{' '}
                <span className="muted">
                  {issue.shortId}, {countOf(issue.eventsHere, 'event')}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
