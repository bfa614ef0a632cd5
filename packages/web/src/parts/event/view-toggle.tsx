import { useIsInBrowser } from '../../ui/page-clock.tsx'
import type { StackViewControl } from './stack-view.ts'

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
