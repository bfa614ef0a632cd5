import type { RecentRepair } from '@sonde/queries'
import { Form } from '@sonde/router'
import { countOf, formatCount, formatShare } from '../../../../format/format-count.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

type Shown = RecentRepair & { readonly by: string }

type Props = { readonly repairs: readonly Shown[]; readonly canRepair: boolean }

export function RepairList({ repairs, canRepair }: Props) {
  return (
    <>
      {canRepair && (
        <Form className="maps-repair">
          <input type="hidden" name="form" value="repair" />
          <p className="muted">Every upload does this by itself, for what it makes readable.</p>
          <button type="submit" className="button">
            Read all again
          </button>
        </Form>
      )}
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
    </>
  )
}

function RepairState({ repair: { startedMs, finishedMs, total, seen } }: { readonly repair: Shown }) {
  if (finishedMs !== undefined) return <Badge tone="good">done</Badge>
  if (startedMs === undefined) return <Badge>waiting</Badge>
  return <Badge>{total === undefined ? 'under way' : `under way, ${formatShare(seen, total)}`}</Badge>
}

function RepairFigures({ repair: { seen, changed, moved, merged, finishedMs } }: { readonly repair: Shown }) {
  if (seen === 0)
    return (
      <>{finishedMs === undefined ? 'no event was looked at yet' : 'no stored event had to be read again'}</>
    )
  const parts = [
    `${countOf(seen, 'event')} looked at, ${formatCount(changed)} changed`,
    moved > 0 && `${countOf(moved, 'event')} moved to another issue`,
    merged > 0 && `${countOf(merged, 'issue')} became part of another`,
  ].filter((part) => part !== false)
  return <>{parts.join(', ')}</>
}
