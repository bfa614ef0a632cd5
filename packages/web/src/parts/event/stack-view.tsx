/** How stacks are shown: which frames, in which order, and minified or readable. */
import type { Stacktrace } from '@sonde/protocol/event'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import type { FrameView } from './frame-groups.ts'
import { useRemembered } from './use-remembered.ts'

type Props = { readonly view: StackViewControl; readonly canFold: boolean }

/** Without JavaScript the folds can be opened one by one, so the toggles are not there. */
export function ViewToggle({ view, canFold }: Props) {
  const { frames, order, setFrames, setOrder } = view
  if (!useIsInBrowser()) return null
  return (
    <>
      {canFold && (
        <div className="segmented segmented-small" role="group" aria-label="Frames shown">
          <button type="button" aria-pressed={frames === 'in-app'} onClick={() => setFrames('in-app')}>
            App only
          </button>
          <button type="button" aria-pressed={frames === 'all'} onClick={() => setFrames('all')}>
            All frames
          </button>
        </div>
      )}
      <div className="segmented segmented-small" role="group" aria-label="Frame order">
        <button
          type="button"
          aria-pressed={order === 'recent-first'}
          title="Most recent call first"
          onClick={() => setOrder('recent-first')}
        >
          Recent first
        </button>
        <button
          type="button"
          aria-pressed={order === 'recent-last'}
          title="Most recent call last"
          onClick={() => setOrder('recent-last')}
        >
          Recent last
        </button>
      </div>
    </>
  )
}

/** How stacks are read: which frames, and in which order. Both are remembered. */
type FrameOrder = 'recent-first' | 'recent-last'
export type StackView = { readonly frames: FrameView; readonly order: FrameOrder }

type StackViewControl = StackView & {
  readonly setFrames: (frames: FrameView) => void
  readonly setOrder: (order: FrameOrder) => void
}

export function useStackView(): StackViewControl {
  const [frames, setFrames] = useRemembered<FrameView>('frames', ['in-app', 'all'])
  const [order, setOrder] = useRemembered<FrameOrder>('frame-order', ['recent-first', 'recent-last'])
  return { frames, order, setFrames, setOrder }
}

export const ORDER_NAMES: Readonly<Record<FrameOrder, string>> = {
  'recent-first': 'most recent call first',
  'recent-last': 'most recent call last',
}

/** Stacks as they were sent, or as source maps make them: two addresses, so that it works without JavaScript. */
type WithStacks = { readonly stacktrace?: Stacktrace; readonly raw_stacktrace?: Stacktrace }

export const useIsRaw = (): boolean => useSearchParams()[0].get('stack') === 'raw'

/** With the stack that the address asks for in the place of the readable one. */
export const asShown = <T extends WithStacks>(isRaw: boolean, list: readonly T[]): readonly T[] =>
  isRaw ? list.map((one) => (one.raw_stacktrace ? { ...one, stacktrace: one.raw_stacktrace } : one)) : list

/** `section`: its id, to be there again after a load. */
export function RawSwitch({ of, section }: { readonly of: readonly WithStacks[]; readonly section: string }) {
  const { pathname } = useLocation()
  const query = new URLSearchParams(useSearchParams()[0])
  const isRaw = useIsRaw()
  if (!of.some((one) => one.raw_stacktrace)) return null
  const to = (stack: string): string => {
    query.delete('stack')
    if (stack !== '') query.set('stack', stack)
    return `${pathname}?${query}#${section}`
  }
  return (
    <nav className="segmented segmented-small" aria-label="Stack">
      <Link to={to('')} aria-current={!isRaw || undefined} prefetch="none" preventScrollReset>
        Original
      </Link>
      <Link to={to('raw')} aria-current={isRaw || undefined} prefetch="none" preventScrollReset>
        Minified
      </Link>
    </nav>
  )
}
