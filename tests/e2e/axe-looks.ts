/** Holds a page to axe's rules (WCAG 2.2 A and AA, and its best practices), light and dark, wide and narrow. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

type Violation = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}
type Axe = { run(options: object): Promise<{ readonly violations: readonly Violation[] }> }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }
/** What a theme alone can change; everything else is looked at once a width. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** `rules` undefined: all of them. One line a violation, with where it is. */
async function violations(page: Page, where: string, rules?: readonly string[]): Promise<string[]> {
  const found = await page.evaluate(
    (only) =>
      (globalThis as unknown as { axe: Axe }).axe.run({
        resultTypes: ['violations'],
        ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
      }),
    rules as string[] | undefined,
  )
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${where}: ${id} (${help}) at ${target.join(' ')}\n  ${failureSummary.replaceAll('\n', ' ')}`,
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

/** Both themes, both widths; without loading the page again. */
export async function inEveryLook(page: Page): Promise<void> {
  await page.evaluate(AXE)
  const found: string[] = []
  for (const [viewport, width] of [
    [WIDE, 'wide'],
    [NARROW, 'narrow'],
  ] as const) {
    await page.setViewportSize(viewport)
    await inTheme(page, 'light')
    found.push(...(await violations(page, `${width}, light`)))
    await inTheme(page, 'dark')
    found.push(...(await violations(page, `${width}, dark`, OF_COLOURS)))
  }
  assert.deepEqual(found, [])
}

/** As it stands now, what a theme alone can change. */
export async function inTheseColours(page: Page, where: string): Promise<void> {
  await page.evaluate(AXE)
  assert.deepEqual(await violations(page, where, OF_COLOURS), [])
}
