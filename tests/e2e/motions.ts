/** What of a page moves. */
import type { Page } from 'playwright-core'

/** Endless or longer than a blink: animations that run, and transitions that would. */
export function motions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const seconds = (text: string): number =>
      Math.max(...text.split(',').map((part) => Number.parseFloat(part)))
    return [...document.querySelectorAll('*')].flatMap((element) => {
      const style = getComputedStyle(element)
      const moves = [
        style.animationName !== 'none' && seconds(style.animationDuration) > 0.01 && 'animation',
        style.transitionProperty !== 'none' && seconds(style.transitionDuration) > 0.01 && 'transition',
        style.scrollBehavior === 'smooth' && 'scrolling',
      ].filter((move) => move !== false)
      return moves.map((move) => `${move} of ${element.tagName.toLowerCase()}.${element.className}`)
    })
  })
}
