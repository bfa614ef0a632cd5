/** When a new page is in the document and on the screen. */

// Routers say "done" before React has rendered. A page that then changes nothing was there already.
const RENDERED_WITHIN_MS = 500

/** The first change of the document from now on, and the end of the frame that shows it. */
export function afterPaint(run: (commitMs: number, paintMs: number | undefined) => void): void {
  const calledMs = performance.now()
  if (document.hidden) return run(calledMs, undefined)
  let unchangedMs = calledMs
  const frame = (then: (paintMs: number) => void): void => {
    // A task after the frame's callbacks: style, layout and paint of this frame are then done.
    requestAnimationFrame(() => setTimeout(() => then(performance.now())))
  }
  const observer = new MutationObserver(() => {
    stop()
    const commitMs = performance.now()
    frame((paintMs) => run(commitMs, paintMs))
  })
  const stop = (): void => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document, { childList: true, characterData: true, subtree: true })
  frame((paintMs) => (unchangedMs = paintMs))
  const timer = setTimeout(() => {
    stop()
    run(calledMs, unchangedMs)
  }, RENDERED_WITHIN_MS)
}
