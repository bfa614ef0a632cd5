import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ChartSeries, TimeRange } from './chart-series.ts'
import type { ChartEvents, ChartHandle } from './plot-frame.ts'

export type Hovered = { readonly index: number; readonly leftPx: number }
/** Loads the code that draws, then draws. */
export type LoadDraw = () => Promise<(target: HTMLElement, events: ChartEvents) => ChartHandle>

type DrawnChart = {
  /** Where it is drawn, and the box over the bar that is pointed at. */
  readonly place: RefObject<HTMLDivElement | null>
  readonly tip: RefObject<HTMLDivElement | null>
  /** False: the server's drawing is still what is seen. */
  readonly isDrawn: boolean
  readonly hovered: Hovered | undefined
}

/** Replaces the server's chart with the interactive one; drawn again for another series, not for another address alone. */
export function useDrawnChart(
  series: ChartSeries,
  load: LoadDraw,
  onBrush: (range: TimeRange) => void,
): DrawnChart {
  const place = useRef<HTMLDivElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const [hovered, setHovered] = useState<Hovered>()

  useEffect(() => {
    const target = place.current
    if (!target) return undefined
    return keepDrawn(target, load, { onDrawn: () => setDrawn(true), onHover: setHovered, onBrush })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [series])

  useLayoutEffect(() => {
    const [box, width] = [tip.current, place.current?.clientWidth ?? 0]
    if (!box || !hovered) return
    const left = Math.min(Math.max(0, hovered.leftPx - box.offsetWidth / 2), width - box.offsetWidth)
    box.style.left = `${Math.max(0, left)}px`
  }, [hovered])

  return { place, tip, isDrawn, hovered }
}

type Watching = ChartEvents & { readonly onDrawn: () => void }

/** Draws as soon as the code is loaded, then again when its place or the theme changes. Returns the end of it. */
function keepDrawn(target: HTMLElement, load: LoadDraw, { onDrawn, ...events }: Watching): () => void {
  let handle: ChartHandle | undefined
  let isOver = false
  const sizes = new ResizeObserver(() => handle?.resize())
  const themes = new MutationObserver(() => handle?.redraw())
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const onTheme = (): void => handle?.redraw()
  void load().then(
    (draw) => {
      if (isOver) return
      handle = draw(target, events)
      sizes.observe(target)
      themes.observe(document.documentElement, { attributes: true })
      dark.addEventListener('change', onTheme)
      onDrawn()
    },
    // Without it the server's drawing stays.
    () => undefined,
  )
  return () => {
    isOver = true
    sizes.disconnect()
    themes.disconnect()
    dark.removeEventListener('change', onTheme)
    handle?.destroy()
  }
}
