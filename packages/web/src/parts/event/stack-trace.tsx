import type { Frame, Stacktrace } from '@sonde/protocol/event'
import { useState } from 'react'
import { countOf } from '../../format/format-count.ts'
import { type FrameItem, frameItems } from './frame-groups.ts'
import { FrameLine } from './frame-line.tsx'
import { LazyFold, ShowMore, useWholePage } from './lazy-fold.tsx'
import { Registers } from './native-frame.tsx'
import type { StackView } from './stack-view.tsx'

/** More are there only for whoever asks: an endless recursion has thousands. */
const MAX_SHOWN = 60
const MAX_IN_GROUP = 300
/** Of a stack with hundreds of our frames, the first few explain; the rest is one press each. */
const MAX_OPEN = 8
/** Frames whose code is on the page before anybody opens them. */
const EAGER_FRAMES = 24

type Props = {
  readonly stacktrace: Stacktrace
  readonly view: StackView
  readonly platform: string
  /** False: frames are there, all folded. */
  readonly opens?: boolean
}

/** Frames of libraries are folded until the view is `all`. */
export function StackTrace({ stacktrace, view, platform, opens = true }: Props) {
  const [isWhole, setWhole] = useState(useWholePage().isWhole)
  const items = frameItems(stacktrace.frames, view.frames, stacktrace.frames_omitted)
  const open = opens ? openIndexes(items, stacktrace.frames) : new Set<number>()
  const recent = isWhole ? items : items.slice(0, MAX_SHOWN)
  const isLast = view.order === 'recent-last'
  const shown = isLast ? recent.toReversed() : recent
  const more = recent.length < items.length && (
    <ShowMore
      text={`Show ${countOf(items.length - recent.length, 'earlier frame')}`}
      section="exception"
      onShow={() => setWhole(true)}
    />
  )
  return (
    <>
      {isLast && more}
      <ol className="stack">
        {shown.map((item, index) => (
          // The view is in the key: switching it lets every frame begin as that view wants it.
          <li key={`${view.frames} ${view.order} ${index}`}>
            <StackItem item={item} platform={platform} open={open} isLast={isLast} />
          </li>
        ))}
      </ol>
      {!isLast && more}
      <Registers registers={stacktrace.registers} />
    </>
  )
}

/** The application's frames; without any, the most recent call. Counted from the most recent. */
function openIndexes(items: readonly FrameItem[], frames: readonly Frame[]): ReadonlySet<number> {
  const single = items.flatMap((item) => (item.kind === 'frame' ? [item] : []))
  const ours = single.filter(({ frame }) => frame.in_app).slice(0, MAX_OPEN)
  if (ours.length > 0) return new Set(ours.map(({ index }) => index))
  return new Set(frames.length > 0 ? [0] : [])
}

type ItemProps = {
  readonly item: FrameItem
  readonly platform: string
  readonly open: ReadonlySet<number>
  readonly isLast: boolean
}

function StackItem({ item, platform, open, isLast }: ItemProps) {
  if (item.kind === 'frame') {
    return (
      <FrameLine
        frame={item.frame}
        platform={platform}
        isOpen={open.has(item.index)}
        isEager={item.index < EAGER_FRAMES}
      />
    )
  }
  if (item.kind === 'omitted') {
    return <p className="frame-omitted">{countOf(item.count, 'frame')} omitted by the SDK</p>
  }
  const frames = isLast ? item.frames.toReversed() : item.frames
  return (
    <LazyFold
      className="frame-group"
      summary={countOf(frames.length, 'library frame')}
      isEager={frames.length <= EAGER_FRAMES}
    >
      {() => (
        <ol className="stack">
          {frames.slice(0, MAX_IN_GROUP).map((frame, index) => (
            <li key={index}>
              <FrameLine frame={frame} platform={platform} isOpen={false} isEager={false} />
            </li>
          ))}
        </ol>
      )}
    </LazyFold>
  )
}
