import type { Breadcrumb } from '@sonde/protocol/event'
import { useState } from 'react'
import { countOf } from '../format/format-count.ts'
import { formatOffset } from '../format/format-time.ts'
import { JsonValue } from '../ui/json-value.tsx'
import { Level, levelClass } from '../ui/level.tsx'
import { LongText } from '../ui/long-text.tsx'
import { Section } from '../ui/section.tsx'
import { ClockTime } from '../ui/time.tsx'
import { UserText } from '../ui/user-text.tsx'

const FIRST_SHOWN = 15

type Props = { readonly breadcrumbs: readonly Breadcrumb[]; readonly eventMs: number }

/** What led there, latest first: the last thing before an error explains it most often. */
export function BreadcrumbsSection({ breadcrumbs, eventMs }: Props) {
  const [isWhole, setWhole] = useState(false)
  const latestFirst = breadcrumbs.toReversed()
  const shown = isWhole ? latestFirst : latestFirst.slice(0, FIRST_SHOWN)
  return (
    <Section id="breadcrumbs" title="Breadcrumbs" note={`${breadcrumbs.length}, latest first`}>
      <table className="crumb-table">
        <caption className="sr-only">Breadcrumbs, latest first</caption>
        <colgroup>
          <col className="col-time" />
          <col className="col-kind" />
          <col />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Kind</th>
            <th scope="col">What happened</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((crumb, index) => (
            <CrumbRow key={index} crumb={crumb} eventMs={eventMs} />
          ))}
        </tbody>
      </table>
      {shown.length < latestFirst.length && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          Show {countOf(latestFirst.length - shown.length, 'earlier one', 'earlier ones')}
        </button>
      )}
    </Section>
  )
}

function CrumbRow({ crumb, eventMs }: { readonly crumb: Breadcrumb; readonly eventMs: number }) {
  const { timestamp, type, category, level, message, data } = crumb
  const entries = Object.keys(data ?? {})
  return (
    <tr className={levelClass(level)}>
      <td className="crumb-time">
        {timestamp === undefined ? (
          '–'
        ) : (
          <>
            <ClockTime atMs={timestamp * 1000} />
            <span className="muted">{formatOffset(timestamp * 1000, eventMs)}</span>
          </>
        )}
      </td>
      <td className="crumb-kind">
        <UserText text={category ?? type} />
        {level !== 'info' && <Level level={level} />}
      </td>
      <td className="crumb-text">
        {message !== undefined && message !== '' && <LongText text={message} max={600} />}
        {data && entries.length > 0 && <JsonValue value={data} depth={entries.length > 6 ? 1 : 0} />}
      </td>
    </tr>
  )
}
