/** The toolbar of the waterfall: search, collapse, reset zoom. */
import { useRef } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { useShortcuts } from '../../../../shell/use-shortcuts.ts'
import type { TraceView } from './use-trace-view.ts'

/** Deeper levels are read by expanding all. */
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
          placeholder="Search spans and attributes"
          aria-label="Search spans"
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
          aria-label="Previous match"
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
        Depth
      </span>
      <div className="segmented" role="group" aria-label="Expanded depth">
        {DEPTHS.map((depth) => (
          <button
            key={depth}
            type="button"
            title={`Collapse to ${depth === 1 ? '1 level' : `${depth} levels`}`}
            onClick={() => foldTo(depth - 1)}
          >
            {depth}
          </button>
        ))}
        <button type="button" onClick={() => foldTo(undefined)}>
          Expand all
        </button>
      </div>
      {isZoomed && (
        <button type="button" className="button button-small" onClick={() => zoomTo(undefined)}>
          {formatDuration(window.fromMs)} – {formatDuration(window.toMs)}: reset zoom
        </button>
      )}
    </div>
  )
}

function matchText(count: number, at: number, state: 'loading' | 'done' | 'failed'): string {
  const where = at < 0 ? formatExact(count) : `${formatExact(at + 1)} of ${formatExact(count)}`
  if (state === 'loading') return `${where}, searching attributes…`
  return state === 'failed' ? `${where}, attribute search failed` : where
}
