/** The text of each page as HTML, by the generator: `docs` is its folder, and pages that lie elsewhere are handed in. */
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Eleventy } from '@11ty/eleventy'
import { extendMarkdown } from './markdown.ts'
import type { Page } from './pages.ts'
import type { Pictures } from './pictures.ts'

const DOCS = 'docs'
/** Where the generator believes pages to lie that are not in its folder. */
const OUTSIDE = 'outside/'

/** `html` is without what the layout puts around it. */
export type Rendered = { readonly page: Page; readonly html: string }

export async function renderPages(
  root: string,
  pages: readonly Page[],
  pictures: Pictures,
): Promise<readonly Rendered[]> {
  const site = { pages: new Map(pages.map((page) => [page.source, page])), pictures }
  const outside = pages.filter(({ source }) => !source.startsWith(`${DOCS}/`))
  const texts = await Promise.all(outside.map(({ source }) => readFile(join(root, source), 'utf8')))
  // It takes paths from where the process runs.
  const input = relative(process.cwd(), join(root, DOCS))
  const eleventy = new Eleventy(input, undefined, {
    quietMode: true,
    config(config) {
      config.setUseGitIgnore(false)
      config.setTemplateFormats(['md'])
      // Braces are part of a text, and no template.
      config.addGlobalData('templateEngineOverride', 'md')
      config.amendLibrary('md', (md) => extendMarkdown(md, site))
      outside.forEach(({ source }, at) => config.addTemplate(OUTSIDE + source, texts[at] ?? '', { source }))
    },
  })
  const made = new Map((await eleventy.toJSON()).map((one) => [one.inputPath, one.content]))
  return pages.map((page) => {
    const place = outside.includes(page) ? `${DOCS}/${OUTSIDE}${page.source}` : page.source
    const html = made.get(`./${relative(process.cwd(), join(root, place))}`)
    if (html === undefined) throw new Error(`${page.source} became no page`)
    return { page, html }
  })
}
