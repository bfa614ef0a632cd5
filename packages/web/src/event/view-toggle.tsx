import { useIsInBrowser } from '../ui/page-clock.tsx'
import type { FrameView } from './frame-groups.ts'

type Props = { readonly view: FrameView; readonly onChange: (view: FrameView) => void }

/** Without JavaScript the folds can be opened one by one, so the toggle is not there. */
export function ViewToggle({ view, onChange }: Props) {
  if (!useIsInBrowser()) return null
  return (
    <div className="segmented segmented-small" role="group" aria-label="Frames shown">
      <button type="button" aria-pressed={view === 'in-app'} onClick={() => onChange('in-app')}>
        In-app
      </button>
      <button type="button" aria-pressed={view === 'all'} onClick={() => onChange('all')}>
        All frames
      </button>
    </div>
  )
}
