import { Link } from '@sonde/router'
import type { ChangeEvent } from 'react'
import { AssigneeMark } from '../../ui/avatar.tsx'
import { Level, levelClass } from '../../ui/badge.tsx'
import { Count } from '../../ui/count.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Age } from '../../ui/time.tsx'
import { titleOf, UserText } from '../../ui/user-text.tsx'
import { IssueBadges, titleParts } from '../issue/issue-badges.tsx'
import { PriorityBadge } from '../issue/priority-menu.tsx'
import type { ShownRow } from './issue-list-screen.tsx'

type Props = {
  /** Where the issue is shown. */
  readonly to: string
  readonly row: ShownRow
  /** Undefined: rows cannot be chosen. */
  readonly formId: string | undefined
  readonly isChosen: boolean
  readonly onToggle: (id: number, isRange: boolean) => void
}

export function IssueLine({ to, row, formId, isChosen, onToggle }: Props) {
  const { name, rest } = titleParts(row)
  const isDay = row.bars.period === '24h'
  return (
    <tr
      className={`issue-line ${levelClass(row.level)}`}
      data-status={row.status}
      data-issue={row.id}
      data-seen={row.hasSeen || undefined}
      data-chosen={isChosen || undefined}
    >
      {formId !== undefined && (
        <td className="col-box">
          <label className="row-box">
            <input
              type="checkbox"
              form={formId}
              name="id"
              value={row.id}
              checked={isChosen}
              aria-label={`Select ${row.shortId}`}
              // A box turns over on a click, also when the click is the space bar's.
              onChange={({ nativeEvent }: ChangeEvent<HTMLInputElement, MouseEvent>) =>
                onToggle(row.id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
              }
            />
          </label>
        </td>
      )}
      <td className="col-issue">
        <Link className="issue-link" to={to} title={titleOf(row.title)}>
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
          <PriorityBadge issue={row} />
          <IssueBadges issue={row} />
          {row.isBookmarked && (
            <span title="Your bookmark">
              <Icon name="starred" />
              <span className="sr-only">Bookmarked</span>
            </span>
          )}
          {row.assignee && (
            <span className="meta-assignee">
              <AssigneeMark assignee={row.assignee} />
            </span>
          )}
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
      <td className="col-assignee">{row.assignee && <AssigneeMark assignee={row.assignee} />}</td>
      <td className="col-age col-first">
        <Age atMs={row.firstSeenMs} />
      </td>
      <td className="col-age">
        <Age atMs={row.lastSeenMs} />
      </td>
    </tr>
  )
}
