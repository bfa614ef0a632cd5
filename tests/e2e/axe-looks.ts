/** Holds a page to axe's rules (WCAG 2.2 A and AA, and its best practices), light and dark, wide and narrow. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

type Violation = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly {
    readonly target: readonly string[]
    readonly html: string
    readonly failureSummary: string
  }[]
}
type Axe = { run(within: string, options: object): Promise<{ readonly violations: readonly Violation[] }> }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }
/** What a theme alone can change; everything else is looked at once a width. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** `rules` undefined: all of them. One line a violation, with where it is. */
async function violations(
  page: Page,
  where: string,
  rules?: readonly string[],
  within = 'html',
): Promise<string[]> {
  const found = await page.evaluate(
    ([at, only]) =>
      (globalThis as unknown as { axe: Axe }).axe.run(at, {
        resultTypes: ['violations'],
        ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
      }),
    [within, rules] as const,
  )
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) =>
        `${where}: ${id} (${help}) at ${target.join(' ')}: ${html.slice(0, 200)}\n  ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  )
}

/** Waits for two frames: the colours of all elements are new then. */
async function inTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

async function addAxe(page: Page): Promise<void> {
  // The policy of the page allows no other script; this one comes past it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
}

/** Marks what is on a wide page and not on this narrow one. */
function markWideOnly(page: Page): Promise<void> {
  return page.evaluate(() => {
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    for (const element of document.body.querySelectorAll('*'))
      element.toggleAttribute(
        'data-wide-only',
        !isShown(element) && element.parentElement !== null && isShown(element.parentElement),
      )
  })
}

/** Both themes, both widths, without loading the page again. Dark colours are looked at once for each element. */
export async function inEveryLook(page: Page): Promise<void> {
  await addAxe(page)
  await page.setViewportSize(WIDE)
  await inTheme(page, 'light')
  const found = await violations(page, 'wide, light')
  await page.setViewportSize(NARROW)
  await inTheme(page, 'dark')
  found.push(...(await violations(page, 'narrow, dark')))
  await markWideOnly(page)
  await page.setViewportSize(WIDE)
  if ((await page.locator('[data-wide-only]').count()) > 0)
    found.push(...(await violations(page, 'wide, dark', OF_COLOURS, '[data-wide-only]')))
  assert.deepEqual(found, [])
}

/** A part of a page as it stands now, light and dark. */
export async function inBothThemes(page: Page, within: string): Promise<void> {
  await addAxe(page)
  await inTheme(page, 'light')
  const found = await violations(page, 'light', undefined, within)
  await inTheme(page, 'dark')
  found.push(...(await violations(page, 'dark', OF_COLOURS, within)))
  assert.deepEqual(found, [])
}

/** As it stands now, what a theme alone can change. */
export async function inTheseColours(page: Page, where: string): Promise<void> {
  await addAxe(page)
  assert.deepEqual(await violations(page, where, OF_COLOURS), [])
}
