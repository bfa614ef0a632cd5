/** The pages as the site has them: all of them, with links that lead somewhere there and on GitHub. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { GROUPS } from './groups.ts'
import { headingId } from './links.ts'
import { BASE, readPages } from './pages.ts'
import { openPictures } from './pictures.ts'
import { type Rendered, renderPages } from './render.ts'
import { sectionsOf } from './search-index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const pages = readPages(ROOT)

test('every page of docs is in one group, and pages from elsewhere are there', () => {
  const there = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
  const listed = pages.map(({ source }) => source)
  assert.deepEqual(
    there.filter((file) => !listed.includes(file)),
    [],
    'add it to scripts/docs-site/groups.ts',
  )
  assert.equal(new Set(listed).size, listed.length, 'a page is listed twice')
  const gone = GROUPS.flatMap((group) => group.pages)
    .map((page) => (typeof page === 'string' ? page : page[0]))
    .filter((file) => !file.startsWith('docs/') && !existsSync(join(ROOT, file)))
  assert.deepEqual(gone, [], 'scripts/docs-site/groups.ts lists what is not there')
})

test('no two pages have one address, whatever the letters’ case', () => {
  const paths = pages.map(({ path }) => path)
  assert.equal(new Set(paths).size, paths.length)
  for (const path of paths) assert.match(path, /^[a-z0-9/.-]*$/)
})

test('headings have the ids that GitHub gives them', () => {
  const taken = new Map<string, number>()
  for (const [heading, id] of [
    ['Spans by any attribute, and SQL', 'spans-by-any-attribute-and-sql'],
    ['`sonde backup create --to`', 'sonde-backup-create---to'],
    ['What’s new – in 2.0?', 'whats-new--in-20'],
    ['Über uns_x', 'über-uns_x'],
    ['Next.js / App Router', 'nextjs--app-router'],
    ['Next.js / App Router', 'nextjs--app-router-1'],
  ] as const)
    assert.equal(headingId(heading, taken), id)
})

describe('rendered pages', () => {
  let rendered: readonly Rendered[] = []
  before(async () => {
    rendered = await renderPages(ROOT, pages, openPictures(ROOT))
  })

  test('every link leads to a page and a heading that are there', () => {
    const ids = new Map(
      rendered.map(({ page, html }) => [
        BASE + page.path,
        new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)),
      ]),
    )
    const lost = rendered.flatMap(({ page, html }) =>
      [...html.matchAll(/<a href="([^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter(
          (href) => href.startsWith('#') || (href.startsWith(BASE) && !href.startsWith(`${BASE}assets/`)),
        )
        .filter((href) => {
          const [path = '', hash] = href.split('#')
          const there = ids.get(path === '' ? BASE + page.path : path)
          return !there || (hash !== undefined && !there.has(decodeURIComponent(hash)))
        })
        .map((href) => `${page.source}: ${href}`),
    )
    assert.deepEqual(lost, [])
    assert.ok(ids.size > 180)
  })

  test('what a page names of the repository is there', () => {
    const lost = rendered.flatMap(({ page, html }) =>
      [...html.matchAll(/<a title="([^"]*) in the repository"/g)]
        .filter(([, file = '']) => !existsSync(join(ROOT, file)))
        .map(([, file]) => `${page.source}: ${file}`),
    )
    assert.deepEqual(lost, [])
  })

  test('every picture is there', () => {
    const lost = rendered.flatMap(({ page, html }) => {
      const named = [...readFileSync(join(ROOT, page.source), 'utf8').matchAll(/^!\[/gm)].length
      return html.split('<img ').length > named ? [] : [page.source]
    })
    assert.deepEqual(lost, [])
  })

  test('nothing stands in a page that its policy refuses', () => {
    for (const { page, html } of rendered)
      assert.doesNotMatch(html, /<script|<style|<iframe|<[a-z][^<>]*\s(?:style|on[a-z]+)=/i, page.source)
  })

  test('a section is found by its heading, its text and its address', () => {
    const backup = rendered.find(({ page }) => page.source === 'docs/operate/backup.md')
    assert.ok(backup)
    const sections = sectionsOf(backup.page, backup.html)
    const [first, second] = sections
    assert.deepEqual([first?.id, first?.title, first?.heading], ['operate/backup', 'Backup and restore', ''])
    assert.deepEqual([second?.id, second?.heading], ['operate/backup#what-is-in-it', 'What is in it'])
    assert.match(second?.text ?? '', /secret\.key, when it lies/)
    assert.doesNotMatch(sections.map(({ text }) => text).join(''), /<\/?(?:p|code|td)>|&lt;/)
  })
})
