/** A page around its text: what it is part of, where the others are, and what is on it. */
import { type Group, GROUPS } from './groups.ts'
import { escaped } from './markdown.ts'
import { BASE, type Page } from './pages.ts'

export type Shell = {
  readonly pages: readonly Page[]
  readonly version: string
  /** Addresses of the files that every page loads. */
  readonly assets: {
    readonly style: string
    readonly theme: string
    readonly search: string
    readonly index: string
  }
}

/** A page that is in no group: what is said for an address that has none, and the results of a search. */
export type Extra = { readonly path: string; readonly title: string }

export function layout(page: Page | Extra, content: string, shell: Shell): string {
  const { assets, version } = shell
  const group = 'group' in page ? page.group : undefined
  const title = page.path === '' ? 'Sonde documentation' : `${page.title} · Sonde documentation`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script src="${assets.search}" data-index="${assets.index}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<button type="button" class="menu-button" popovertarget="pages">Pages</button>
<a class="brand" href="${BASE}">${MARK}<span>Sonde <span class="muted">documentation</span></span></a>
<search class="search">
<form action="${BASE}search" method="get">
<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false">
</form>
<div class="found" hidden></div>
</search>
<a class="to-sonde" href="/">Open Sonde</a>
</header>
<div class="columns">
<nav class="pages" id="pages" popover aria-label="Pages">${sideBar(shell.pages, page, group)}</nav>
<main id="content" tabindex="-1">
<article>
${content}
</article>
${'group' in page ? neighbours(shell.pages, page) : ''}
<footer class="foot">
<p class="muted">Sonde ${escaped(version)}${'source' in page ? `, from <code>${escaped(page.source)}</code>` : ''}</p>
<div class="themes" role="group" aria-label="Theme" hidden>
<button type="button" data-choice="system">System</button>
<button type="button" data-choice="light">Light</button>
<button type="button" data-choice="dark">Dark</button>
</div>
</footer>
</main>
${onThisPage(content)}
</div>
</body>
</html>
`
}

const MARK =
  '<svg class="mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><rect width="20" height="20" rx="4.5"/><path d="M3.5 11.5h3l2-6 3 9 2-5.5 1 2.5h2"/></svg>'

function sideBar(pages: readonly Page[], shown: Page | Extra, current: Group | undefined): string {
  return GROUPS.map((group) => {
    const mine = pages.filter((page) => page.group === group)
    const listed = group.isFolded && group !== current ? mine.slice(0, 1) : mine
    const items = listed.map(
      ({ path, name }) =>
        `<li><a href="${BASE}${path}"${path === shown.path ? ' aria-current="page"' : ''}>${escaped(name)}</a></li>`,
    )
    return mine.length === 0 ? '' : `<p class="group">${escaped(group.name)}</p><ul>${items.join('')}</ul>`
  }).join('\n')
}

function neighbours(pages: readonly Page[], page: Page): string {
  const at = pages.indexOf(page)
  const link = (to: Page | undefined, rel: 'prev' | 'next', word: string): string =>
    to
      ? `<a rel="${rel}" href="${BASE}${to.path}"><span class="muted">${word}</span> ${escaped(to.name)}</a>`
      : '<span></span>'
  return `<nav class="neighbours" aria-label="Neighbours">${link(pages[at - 1], 'prev', 'Before')}${link(pages[at + 1], 'next', 'Next')}</nav>`
}

const HEADING = /<h([23]) id="([^"]*)">(.*?)<\/h\1>/g

function onThisPage(content: string): string {
  const items = [...content.matchAll(HEADING)].map(
    ([, level, id, inner = '']) =>
      `<li class="level-${level}"><a href="#${id}">${inner.replaceAll(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  )
  if (items.length < 2) return ''
  return `<nav class="on-page" aria-label="On this page"><p class="group">On this page</p><ul>${items.join('')}</ul></nav>`
}
