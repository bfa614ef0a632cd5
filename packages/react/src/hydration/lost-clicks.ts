/** Clicks on what the app would have answered, had it been there already. */

type Click = { readonly target: Element; readonly atMs: number }

// The same press is told by the event and by its timing, and may be both of a pointer and of a click.
const SAME_PRESS_MS = 300
const MAX_CLICKS = 50
const CONTROLS = 'button, input, select, textarea, summary, label, [role=button]'
const HANDLERS = ['onClick', 'onClickCapture', 'onPointerDown', 'onMouseDown'] as const

export type LostClicks = {
  /** The app answers from now on. */
  stop(): void
  /** Looks at what was pressed: whether React has a handler for it now. */
  count(): number
}

/** Before the scripts came the browser alone knows: the first input, and what took longer than 104 ms. */
export function watchLostClicks(): LostClicks {
  const clicks: Click[] = []
  let endMs = Infinity
  const add = (target: EventTarget | null | undefined, atMs: number): void => {
    const isKnown = clicks.some((click) => Math.abs(click.atMs - atMs) < SAME_PRESS_MS)
    if (target instanceof Element && atMs < endMs && !isKnown && clicks.length < MAX_CLICKS)
      clicks.push({ target, atMs })
  }
  const listen = ({ target, timeStamp }: Event): void => add(target, timeStamp)
  addEventListener('click', listen, { capture: true, passive: true })
  const observer =
    typeof PerformanceObserver === 'undefined'
      ? undefined
      : new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as PerformanceEventTiming[])
            if (/^(click|pointerdown|mousedown)$/.test(entry.name)) add(entry.target, entry.startTime)
        })
  for (const type of ['first-input', 'event'])
    if (PerformanceObserver.supportedEntryTypes.includes(type)) observer?.observe({ type, buffered: true })
  return {
    stop() {
      endMs = performance.now()
      removeEventListener('click', listen, { capture: true })
    },
    count: () => clicks.filter(({ target }) => isLost(target)).length,
  }
}

/** Links and forms work without scripts: the browser loads their page. */
function isLost(target: Element): boolean {
  if (target.closest('a[href]')) return false
  // Rendered anew since: nobody can ask React any more.
  if (!target.isConnected) return target.closest(CONTROLS) !== null
  for (let element: Element | null = target; element; element = element.parentElement) {
    const props = propsOf(element)
    if (props && HANDLERS.some((name) => typeof props[name] === 'function')) return true
  }
  return false
}

let propsKey: string | undefined

/** What React rendered the element with; undefined: it has not hydrated it. */
export function propsOf(element: Element): Readonly<Record<string, unknown>> | undefined {
  // The end of the key is random and the same for the whole page.
  if (propsKey === undefined || !(propsKey in element))
    propsKey = Object.keys(element).find((key) => key.startsWith('__reactProps$')) ?? propsKey
  return propsKey === undefined
    ? undefined
    : (element as unknown as Record<string, Record<string, unknown> | undefined>)[propsKey]
}
