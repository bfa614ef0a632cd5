import type { RecentRepair } from '@sonde/queries'
import { countOf, formatShare } from '../format/format-count.ts'
import { Badge } from '../ui/badge.tsx'
import { Ago } from '../ui/time.tsx'
import { UserText } from '../ui/user-text.tsx'

type Shown = RecentRepair & { readonly by: string }

export function RepairList({ repairs }: { readonly repairs: readonly Shown[] }) {
  return (
    <ul className="maps-repairs">
      {repairs.map((repair) => (
        <li key={repair.id}>
          <RepairState repair={repair} /> <RepairFigures repair={repair} />{' '}
          <span className="muted">
            after an {repair.cause === 'upload' ? 'upload' : 'order'} by <UserText text={repair.by} />{' '}
            <Ago atMs={repair.requestedMs} />
            {repair.release !== '' && (
              <>
                {' '}
                for <UserText text={repair.release} />
              </>
            )}
          </span>
          {repair.trouble !== '' && <p className="maps-trouble">It goes on later: {repair.trouble}</p>}
        </li>
      ))}
    </ul>
  )
}

function RepairState({ repair: { startedMs, finishedMs, total, seen } }: { readonly repair: Shown }) {
  if (finishedMs !== undefined) return <Badge tone="good">done</Badge>
  if (startedMs === undefined) return <Badge>waiting</Badge>
  return <Badge>{total === undefined ? 'under way' : `under way, ${formatShare(seen, total)}`}</Badge>
}

function RepairFigures({ repair: { seen, changed, moved, merged } }: { readonly repair: Shown }) {
  const parts = [
    `${countOf(changed, 'event')} of ${countOf(seen, 'looked at', 'looked at')} became readable`,
    moved > 0 && `${countOf(moved, 'event')} moved to another issue`,
    merged > 0 && `${countOf(merged, 'issue')} became part of another`,
  ].filter((part) => part !== false)
  return <>{parts.join(', ')}</>
}
