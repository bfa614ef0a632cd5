/** Above the waterfall: find, fold, and the way back from a part of the time. */
import { useRef } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { useShortcuts } from '../../../../shell/use-shortcuts.ts'
import type { TraceView } from './use-trace-view.ts'

/** Folded deeper than this is read as a whole. */
const DEPTHS = [1, 2, 3, 4] as const

export function TraceTools({ view }: { readonly view: TraceView }) {
  const { text, matches, find, setText, step, foldTo, isZoomed, window, zoomTo, active } = view
  const field = useRef<HTMLInputElement>(null)
  const focus = (): void => field.current?.select()
  useShortcuts({
    search: focus,
    'trace.find': focus,
    'trace.next': () => step(1),
    'trace.previous': () => step(-1),
  })
  const at = active?.startsWith('s') ? matches.indexOf(Number(active.slice(1))) : -1
  return (
    <div className="trace-tools">
      <form
        role="search"
        className="trace-find"
        method="get"
        onSubmit={(event) => {
          event.preventDefault()
          step(1)
        }}
      >
        <input
          ref={field}
          type="search"
          name="q"
          className="input"
          placeholder="Find in names and attributes"
          aria-label="Find spans"
          aria-keyshortcuts="f"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.shiftKey) return
            event.preventDefault()
            step(-1)
          }}
        />
        <output className="trace-matches num" aria-live="polite">
          {text.trim() === '' ? '' : matchText(matches.length, at, find)}
        </output>
        <button
          type="button"
          className="button button-small"
          disabled={matches.length === 0}
          aria-label="Match before"
          aria-keyshortcuts="p"
          onClick={() => step(-1)}
        >
          ↑
        </button>
        <button
          type="submit"
          className="button button-small"
          aria-label="Next match"
          aria-keyshortcuts="n"
          disabled={text.trim() !== '' && matches.length === 0}
        >
          ↓
        </button>
      </form>
      <span className="muted" aria-hidden="true">
        Levels
      </span>
      <div className="segmented" role="group" aria-label="Levels that are unfolded">
        {DEPTHS.map((depth) => (
          <button
            key={depth}
            type="button"
            title={`Fold to ${depth === 1 ? 'one level' : `${depth} levels`}`}
            onClick={() => foldTo(depth - 1)}
          >
            {depth}
          </button>
        ))}
        <button type="button" onClick={() => foldTo(undefined)}>
          Unfold all
        </button>
      </div>
      {isZoomed && (
        <button type="button" className="button button-small" onClick={() => zoomTo(undefined)}>
          {formatDuration(window.fromMs)} – {formatDuration(window.toMs)}: show all of the time
        </button>
      )}
    </div>
  )
}

function matchText(count: number, at: number, state: 'loading' | 'done' | 'failed'): string {
  const where = at < 0 ? formatExact(count) : `${formatExact(at + 1)} of ${formatExact(count)}`
  if (state === 'loading') return `${where}, attributes …`
  return state === 'failed' ? `${where}, without attributes` : where
}
