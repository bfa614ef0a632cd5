import type { IssueListRow } from '@sonde/queries'
import { Link } from '@sonde/router'
import { paths } from '../paths.ts'
import { Count } from '../ui/count.tsx'
import { Level, levelClass } from '../ui/level.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { Age } from '../ui/time.tsx'
import { titleOf, UserText } from '../ui/user-text.tsx'
import { IssueBadges } from './issue-badges.tsx'
import { titleParts } from './title-parts.ts'

export function IssueLine({ org, row }: { readonly org: string; readonly row: IssueListRow }) {
  const { name, rest } = titleParts(row)
  const isDay = row.bars.period === '24h'
  return (
    <tr className={`issue-line ${levelClass(row.level)}`} data-status={row.status}>
      <td className="col-issue">
        <Link
          className="issue-link"
          to={paths.issue(org, row.project.slug, row.shortId)}
          title={titleOf(row.title)}
        >
          <bdi className="issue-name">{name}</bdi>
          {rest !== '' && (
            <>
              {'  '}
              <bdi className="issue-rest">{rest}</bdi>
            </>
          )}
        </Link>
        <p className="issue-meta">
          <Level level={row.level} />
          <span className="issue-id">{row.shortId}</span>
          <IssueBadges issue={row} />
          {row.culprit !== '' && <UserText className="culprit" text={row.culprit} />}
        </p>
      </td>
      <td className="col-trend">
        <Sparkline
          counts={row.bars.counts}
          period={isDay ? '24 hours' : '14 days'}
          step={isDay ? 'hour' : 'day'}
        />
      </td>
      <td className="col-num">
        <Count value={row.eventCount} noun="event" />
      </td>
      <td className="col-num col-users">
        <Count value={row.userCount} noun="user" />
      </td>
      <td className="col-age col-first">
        <Age atMs={row.firstSeenMs} />
      </td>
      <td className="col-age">
        <Age atMs={row.lastSeenMs} />
      </td>
    </tr>
  )
}
