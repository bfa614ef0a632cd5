/** A person who has no mouse: Tab, arrows, Enter and shortcuts, and what they reach has to be seen. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More stops than any screen has: those between are all that is wrong when this is not enough. */
const MAX_STOPS = 250

/** Forward with Tab until the control has the focus; it is then in view, with a ring, and nothing lies above it. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor({ state: 'attached' })
  const page = target.page()
  for (let count = 0; count < MAX_STOPS; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return isSeen(target)
    await page.keyboard.press(key)
  }
  assert.fail(`${key} does not reach ${String(target)}`)
}

export async function pressOn(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Down a menu that is open, to one of its lines. */
export async function arrowTo(target: Locator, key: 'ArrowDown' | 'ArrowUp' = 'ArrowDown'): Promise<void> {
  await target.waitFor()
  for (let count = 0; count < MAX_STOPS; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return isSeen(target)
    await target.page().keyboard.press(key)
  }
  assert.fail(`${key} does not reach ${String(target)}`)
}

async function isSeen(target: Locator): Promise<void> {
  const fault = await target.evaluate((element) => {
    const { top, left, right, bottom, width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0) return 'has no size'
    if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return 'is out of view'
    if (left < 0 || right > innerWidth) return 'is wider than the window'
    const around = element.closest('label, tr')
    const hasRing = (candidate: Element | null): boolean => {
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate ?? element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    }
    if (!element.matches(':focus-visible') || !(hasRing(element) || hasRing(around))) return 'has no ring'
    const [x, y] = [
      (Math.max(0, left) + Math.min(innerWidth, right)) / 2,
      (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2,
    ]
    const above = document.elementFromPoint(x, y)
    const isOwn = above !== null && (element.contains(above) || above.contains(element))
    return isOwn ? undefined : `lies below ${above?.outerHTML.slice(0, 120)}`
  })
  assert.equal(fault, undefined, `${String(target)} has the focus and ${fault}`)
}

/** What a screen at this width may not do. */
export async function fitsWidth(page: Page): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  assert.ok(wider <= 0, `${page.url()} is ${wider} px wider than the window`)
}

/** Whoever presses a mouse button fails the test: nothing here may need one. */
export async function refuseMouse(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener(
      'pointerdown',
      () => {
        throw new Error('a mouse was used')
      },
      { capture: true },
    )
  })
}
