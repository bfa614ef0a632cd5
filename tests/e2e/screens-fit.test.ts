/** Every screen in a window of 360 px, at 200 % zoom, and for who asked for less motion. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type FilledSonde, SCREENS, startFilledSonde } from './all-screens.ts'

const LOOKS: readonly [what: string, options: BrowserContextOptions][] = [
  ['at 360 px', { viewport: { width: 360, height: 740 } }],
  // What a browser does at 200 %: half as many CSS pixels, each twice as large.
  ['at 200 % of a window of 1280 px', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }],
  ['at 200 % of a window of 1024 px', { viewport: { width: 512, height: 384 }, deviceScaleFactor: 2 }],
]

let filled: FilledSonde
before(async () => {
  filled = await startFilledSonde()
})
after(async () => {
  assert.equal(await filled?.close(), 0)
})

/** What sticks out of the page, or is cut without a way to see the rest. One line each. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
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
      const isCut = /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1
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

for (const [what, options] of LOOKS) {
  describe(what, { concurrency: 2 }, () => {
    for (const [name, path] of Object.entries(SCREENS)) {
      test(`${name}: nothing sticks out and nothing is cut`, () =>
        filled.look(path, options, async (page) => assert.deepEqual(await misfits(page), [])))
    }
  })
}

/** Endless or longer than a blink: animations that run, and transitions that would. */
function motions(page: Page): Promise<string[]> {
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

describe('for who asked for less motion', { concurrency: 2 }, () => {
  for (const [name, path] of Object.entries(SCREENS)) {
    test(`${name}: nothing moves`, () =>
      filled.look(path, { reducedMotion: 'reduce' }, async (page) =>
        assert.deepEqual(await motions(page), []),
      ))
  }

  test('the same look sees what moves for others', () =>
    filled.look('/acme/fresh/issues', { reducedMotion: 'no-preference' }, async (page) => {
      assert.notDeepEqual(await motions(page), [])
    }))
})
