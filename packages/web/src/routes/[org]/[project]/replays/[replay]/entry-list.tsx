/** What happened, in the order of time. Only what is in sight is in the document: a visit has some thousands of requests. */
import { Link } from '@sonde/router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'
import { formatDuration } from '../../../../../format/format-time.ts'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { Entry, EntryKind } from './entries.ts'
import { playerTime } from './player-time.ts'

const KIND_NAMES: Readonly<Record<EntryKind, string>> = {
  click: 'Click',
  rage: 'Rage click',
  dead: 'Dead click',
  input: 'Input',
  navigation: 'Navigation',
  data: 'Page data',
  request: 'Request',
  console: 'Console',
  vital: 'Vital',
  error: 'Error',
  other: 'Event',
}
const ROW_PX = 52

type Props = {
  readonly label: string
  readonly entries: readonly Entry[]
  readonly firstMs: number
  readonly atMs: number
  readonly seek: (atMs: number) => void
}

/** The last that has happened; -1: none. */
export function currentIndex(entries: readonly Entry[], atMs: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.atMs <= atMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

export function EntryList({ label, entries, firstMs, atMs, seek }: Props) {
  const box = useRef<HTMLDivElement>(null)
  // What it returns is used in this component only, which no compiler memoizes.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: useCallback(() => ROW_PX, []),
    overscan: 8,
    initialRect: { width: 400, height: 400 },
  })
  const current = currentIndex(entries, firstMs + atMs)
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'auto' })
  }, [virtualizer, current])
  if (entries.length === 0) return <p className="muted replay-none">Nothing of this kind was recorded.</p>
  return (
    <div ref={box} className="replay-entries" role="region" aria-label={label} tabIndex={0}>
      <ol className="replay-entry-list" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index]!
          return (
            <li
              key={entry.id}
              className="replay-entry"
              data-current={index === current || undefined}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
            >
              <button
                type="button"
                className="replay-entry-time num"
                onClick={() => seek(entry.atMs - firstMs)}
                aria-label={`Go to ${playerTime(entry.atMs - firstMs)}`}
              >
                {playerTime(entry.atMs - firstMs)}
              </button>
              <span className="replay-entry-kind">
                <i className={`replay-dot mark-${entry.kind}`} aria-hidden="true" />{' '}
                <span className={entry.isBad ? 'replay-bad' : undefined}>{KIND_NAMES[entry.kind]}</span>{' '}
                <span className="muted">{detailOf(entry)}</span>
              </span>
              <span className="replay-entry-text">
                {entry.href === undefined ? (
                  <UserText text={entry.text.slice(0, 300)} />
                ) : (
                  <Link className="text-link" to={entry.href} prefetch="none">
                    <UserText text={entry.text.slice(0, 300)} />
                  </Link>
                )}
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const detailOf = ({ method = '', status, durationMs, detail }: Entry): string =>
  [method, status === undefined ? '' : status === 0 ? 'no answer' : String(status), detail]
    .concat(durationMs === undefined ? [] : [formatDuration(durationMs)])
    .filter((part) => part !== '')
    .join(' · ')
