/** Times: relative ones with the exact time as title, exact ones in the reader's own zone once that is known. */
import { formatAge, formatAgo, formatClock, formatExactTime } from '../format/format-time.ts'
import { useIsInBrowser, useTimeText } from './page-clock.tsx'

type Props = { readonly atMs: number }

/** `5min`, for tables. */
export function Age({ atMs }: Props) {
  const text = useTimeText((nowMs) => formatAge(atMs, nowMs))
  return <TimeText atMs={atMs} text={text} />
}

/** `5min ago`, for sentences. */
export function Ago({ atMs }: Props) {
  const text = useTimeText((nowMs) => formatAgo(atMs, nowMs))
  return <TimeText atMs={atMs} text={text} />
}

/** `2026-03-01 14:05:09 UTC`. */
export function ExactTime({ atMs }: Props) {
  const zone = useIsInBrowser() ? 'local' : 'utc'
  return <TimeText atMs={atMs} text={formatExactTime(atMs, zone)} />
}

/** `14:05:09.123`. */
export function ClockTime({ atMs }: Props) {
  const zone = useIsInBrowser() ? 'local' : 'utc'
  return <TimeText atMs={atMs} text={formatClock(atMs, zone)} />
}

function TimeText({ atMs, text }: Props & { readonly text: string }) {
  const isInBrowser = useIsInBrowser()
  const utc = formatExactTime(atMs, 'utc')
  if (utc === 'unknown time') return <span>{text}</span>
  const title = isInBrowser ? `${formatExactTime(atMs, 'local')}\n${utc}` : utc
  return (
    <time dateTime={new Date(atMs).toISOString()} title={title}>
      {text}
    </time>
  )
}
