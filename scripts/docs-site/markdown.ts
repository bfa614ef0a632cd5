/** What the site makes of Markdown beyond the generator: GitHub's ids of headings, links, pictures of both themes, coloured code. */
import { posix } from 'node:path'
import type { MarkdownIt, Token } from '@11ty/eleventy'
import hljs from 'highlight.js/lib/common'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import nginx from 'highlight.js/lib/languages/nginx'
import { addressOf, headingId, readLink } from './links.ts'
import type { Page } from './pages.ts'
import type { Pictures } from './pictures.ts'

hljs.registerLanguage('dockerfile', dockerfile)
hljs.registerLanguage('nginx', nginx)

export type SiteOf = { readonly pages: ReadonlyMap<string, Page>; readonly pictures: Pictures }

/** The generator's data of a page; `source` has what it was handed. */
type Env = { readonly source?: string; readonly page: { readonly inputPath: string } }

const sourceOf = (env: unknown): string => {
  const { source, page } = env as Env
  return source ?? page.inputPath.replace(/^.*?(?=docs\/)/, '')
}

export function extendMarkdown(md: MarkdownIt, site: SiteOf): void {
  md.set({ highlight: highlighted })
  md.core.ruler.push('sonde-headings', ({ tokens }) => addHeadingIds(tokens))
  md.core.ruler.push('sonde-tables', ({ tokens }) => moveAlignment(tokens))
  md.core.ruler.push('sonde-links', ({ tokens, env }) => turnLinks(tokens, sourceOf(env), site))
  // A wide table scrolls by itself, also by the keyboard.
  md.renderer.rules['table_open'] = () =>
    '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n'
  md.renderer.rules['table_close'] = () => '</table></div>\n'
  md.renderer.rules['fence'] = (tokens, at) => code(tokens[at])
  md.renderer.rules['image'] = (tokens, at, _options, env) => picture(tokens[at], sourceOf(env), site)
}

function highlighted(text: string, language: string): string {
  const known = hljs.getLanguage(language) ? language : undefined
  return known === undefined
    ? escaped(text)
    : hljs.highlight(text, { language: known, ignoreIllegals: true }).value
}

function code(token: Token | undefined): string {
  const language = token?.info.trim().split(/\s/)[0] ?? ''
  return `<pre tabindex="0" data-language="${escaped(language)}"><code>${highlighted(token?.content ?? '', language)}</code></pre>\n`
}

function addHeadingIds(tokens: readonly Token[]): void {
  const taken = new Map<string, number>()
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return
    const id = headingId(textOf(tokens[at + 1]), taken)
    // The first heading names the page, and is where the skip link leads.
    if (token.tag !== 'h1') token.attrSet('id', id)
  })
}

/** As a reader sees it: code and the texts of links, without their signs. */
export function textOf(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'image')
    .map(({ content }) => content)
    .join('')
}

/** Columns are aligned by a class: the policy of the site allows no style in an attribute. */
function moveAlignment(tokens: readonly Token[]): void {
  for (const token of tokens) {
    const align = /text-align:\s*(\w+)/.exec(token.attrGet('style') ?? '')?.[1]
    if (align === undefined) continue
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
    if (align !== 'left') token.attrSet('class', align)
  }
}

/** To a page of the site, or to nothing: a file that the site does not have is named and not linked. */
function turnLinks(tokens: readonly Token[], source: string, { pages, pictures }: SiteOf): void {
  for (const { children } of tokens)
    for (const token of children ?? []) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null) continue
      const target = readLink(source, href)
      if (target.kind === 'elsewhere') token.attrSet('rel', 'noreferrer')
      else {
        const address = addressOf(pages, target.source) ?? pictureAddress(pictures, target.source)
        const hash = target.hash === '' ? '' : `#${encodeURIComponent(target.hash)}`
        if (address === undefined) {
          token.attrs = [['title', `${target.source} in the repository`]]
        } else token.attrSet('href', target.source === source && hash !== '' ? hash : address + hash)
      }
    }
}

const pictureAddress = (pictures: Pictures, file: string): string | undefined =>
  /\.(?:png|webp)$/.test(file) ? pictures.find(file)?.url : undefined

/** `…-light.webp` brings its dark and narrow forms, where there are such. */
function picture(token: Token | undefined, source: string, { pictures }: SiteOf): string {
  const src = token?.attrGet('src') ?? ''
  const alt = escaped(token?.content ?? '')
  const file = posix.join(posix.dirname(source), src)
  const light = pictures.find(file)
  if (light === undefined) return `<em>${alt}</em>`
  const other = (variant: string) =>
    /-light\.\w+$/.test(file) ? pictures.find(file.replace(/light(\.\w+)$/, `${variant}$1`)) : undefined
  const [dark, narrow] = [other('dark'), other('narrow')]
  const image = ({ url, width, height }: typeof light): string =>
    `<img src="${url}" alt="${alt}" width="${width}" height="${height}" loading="lazy">`
  if (dark === undefined) return image(light)
  const small = narrow
    ? `<source media="(max-width: 30rem)" srcset="${narrow.url}" width="${narrow.width}" height="${narrow.height}">`
    : ''
  return `<picture class="light-only">${small}${image(light)}</picture><picture class="dark-only">${image(dark)}</picture>`
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
