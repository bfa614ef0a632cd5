/** What of a page does not fit into its window. */
import type { Page } from 'playwright-core'

/** What sticks out of the page, or is cut without a way to see the rest. One line each. */
export function misfits(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Charts follow the size of the window a frame later.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const found: string[] = []
    const { scrollWidth } = document.documentElement
    if (scrollWidth > window.innerWidth) found.push(`the page is ${scrollWidth} px wide`)
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? '').slice(0, 40)}"`
    const isHidden = (element: Element): boolean =>
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest('.sr-only, .skip-link, svg, canvas, [aria-hidden=true], .u-over') !== null
    /** Inside something that scrolls sideways by itself (code, wide tables) everything can be reached. */
    const scrolls = (element: Element | null): boolean => {
      for (let at = element; at && at !== document.body; at = at.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true
      }
      return false
    }
    /** What goes on behind three dots is not seen at the edge of the window either. */
    const isSaid = (element: Element): boolean => {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element)
      return overflowX !== 'visible' && (textOverflow === 'ellipsis' || webkitLineClamp !== 'none')
    }
    const isBehindDots = (element: Element): boolean => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        if (isSaid(at)) return true
      }
      return false
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (isHidden(element) || scrolls(element) || isBehindDots(element)) continue
      const { left, right, width } = element.getBoundingClientRect()
      if (width > 0 && (right > window.innerWidth + 1 || left < -1))
        found.push(`sticks out: ${name(element)}`)
      const style = getComputedStyle(element)
      // What is typed into a field scrolls with the caret.
      const isCut =
        !element.matches('input') &&
        /hidden|clip/.test(style.overflowX) &&
        element.scrollWidth > element.clientWidth + 1
      if (isCut && !isSaid(element) && element.clientWidth > 1) found.push(`cut: ${name(element)}`)
      if (
        element.matches('button, .button, h1, h2, label, .badge') &&
        element.scrollHeight > element.clientHeight + 2
      ) {
        if (/hidden|clip/.test(style.overflowY) && style.webkitLineClamp === 'none')
          found.push(`cut below: ${name(element)}`)
      }
    }
    return found
  })
}
