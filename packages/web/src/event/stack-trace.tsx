import type { Frame, Stacktrace } from '@sonde/protocol/event'
import { useState } from 'react'
import { countOf } from '../format/format-count.ts'
import { type FrameItem, frameItems, type FrameView } from './frame-groups.ts'
import { FrameLine } from './frame-line.tsx'

/** More are there only for whoever asks: an endless recursion has thousands. */
const MAX_SHOWN = 60

/** Most recent call first. Frames of libraries are folded until `view` is `all`. */
export function StackTrace({
  stacktrace,
  view,
}: {
  readonly stacktrace: Stacktrace
  readonly view: FrameView
}) {
  const [isWhole, setWhole] = useState(false)
  const items = frameItems(stacktrace.frames, view, stacktrace.frames_omitted)
  const hasOurs = stacktrace.frames.some((frame) => frame.in_app)
  const shown = isWhole ? items : items.slice(0, MAX_SHOWN)
  return (
    <>
      <ol className="stack">
        {shown.map((item, index) => (
          // The view is in the key: switching it lets every frame begin as that view wants it.
          <li key={`${view} ${index}`}>
            <StackItem item={item} opens={(frame) => frame.in_app || (!hasOurs && index === 0)} />
          </li>
        ))}
      </ol>
      {shown.length < items.length && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          Show {countOf(items.length - shown.length, 'more frame')}
        </button>
      )}
    </>
  )
}

function StackItem({ item, opens }: { readonly item: FrameItem; readonly opens: (frame: Frame) => boolean }) {
  if (item.kind === 'frame') return <FrameLine frame={item.frame} isOpen={opens(item.frame)} />
  if (item.kind === 'omitted')
    return <p className="frame-omitted">{countOf(item.count, 'frame')} left out by the SDK</p>
  return (
    <details className="frame-group">
      <summary>{countOf(item.frames.length, 'library frame')}</summary>
      <ol className="stack">
        {item.frames.slice(0, 300).map((frame, index) => (
          <li key={index}>
            <FrameLine frame={frame} isOpen={false} />
          </li>
        ))}
      </ol>
    </details>
  )
}
