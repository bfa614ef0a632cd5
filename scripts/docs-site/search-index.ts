/** What the search of the site looks through: a row for each section of each page. The browser has the same settings. */
import MiniSearch from 'minisearch'
import { type Section, SETTINGS } from './browser/search-settings.ts'
import type { Page } from './pages.ts'
import type { Rendered } from './render.ts'

/** Shown below a result. */
const EXCERPT_CHARACTERS = 140

/** `rendered`: pages with their HTML, without what is around it. The answer is what `MiniSearch.loadJSON` reads. */
export function searchIndex(rendered: readonly Rendered[]): string {
  const index = new MiniSearch<Section>(SETTINGS)
  for (const { page, html } of rendered) index.addAll(sectionsOf(page, html))
  return JSON.stringify(index)
}

/** Headings of the fourth level and below belong to the section that they are in. */
export function sectionsOf(page: Page, html: string): Section[] {
  return html.split(/(?=<h[123][ >])/).flatMap((part) => {
    const found = /^<h[123](?: id="([^"]*)")?>(.*?)<\/h[123]>/s.exec(part)
    const heading = found ? plain(found[2] ?? '') : ''
    const text = plain(found ? part.slice(found[0].length) : part)
    if (heading === '' && text === '') return []
    const hash = found?.[1] === undefined ? '' : `#${found[1]}`
    const address = page.path + hash
    const isFolded = page.group.isFolded === true
    const excerpt = text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text
    return [{ id: address, title: page.title, heading: hash === '' ? '' : heading, text, excerpt, isFolded }]
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
  '#39': "'",
  '#x27': "'",
}

const plain = (html: string): string =>
  html
    .replaceAll(/<\/?(?:code|a|em|strong|b|kbd|span)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
