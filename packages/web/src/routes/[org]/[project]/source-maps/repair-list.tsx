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
          <p className="muted">Runs automatically after each upload.</p>
          <button type="submit" className="button">
            Reprocess all
          </button>
        </Form>
      )}
      <ul className="maps-repairs">
        {repairs.map((repair) => (
          <li key={repair.id}>
            <RepairState repair={repair} /> <RepairFigures repair={repair} />{' '}
            <span className="muted">
              after {repair.cause === 'upload' ? 'upload' : 'request'} by <UserText text={repair.by} />{' '}
              <Ago atMs={repair.requestedMs} />
              {repair.release !== '' && (
                <>
                  {' '}
                  for <UserText text={repair.release} />
                </>
              )}
            </span>
            {repair.trouble !== '' && <p className="maps-trouble">Paused, will retry: {repair.trouble}</p>}
          </li>
        ))}
      </ul>
    </>
  )
}

function RepairState({ repair: { startedMs, finishedMs, total, seen } }: { readonly repair: Shown }) {
  if (finishedMs !== undefined) return <Badge tone="good">done</Badge>
  if (startedMs === undefined) return <Badge>queued</Badge>
  return <Badge>{total === undefined ? 'in progress' : `in progress, ${formatShare(seen, total)}`}</Badge>
}

function RepairFigures({ repair: { seen, changed, moved, merged, finishedMs } }: { readonly repair: Shown }) {
  if (seen === 0) return <>{finishedMs === undefined ? 'not started' : 'no stored events affected'}</>
  const parts = [
    `${countOf(seen, 'event')} processed, ${formatCount(changed)} updated`,
    moved > 0 && `${countOf(moved, 'event')} moved to another issue`,
    merged > 0 && `${countOf(merged, 'issue')} merged`,
  ].filter((part) => part !== false)
  return <>{parts.join(', ')}</>
}
