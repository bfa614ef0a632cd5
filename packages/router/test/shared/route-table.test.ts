import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMatcher } from '../../src/shared/match-routes.ts'
import { buildRouteTable, RouteTableError } from '../../src/shared/route-table.ts'

describe('file → id → parameters', () => {
  const rows: [file: string, id: string, params: string[]][] = [
    ['page.tsx', '/', []],
    ['sign-in/page.tsx', '/sign-in', []],
    ['[org]/page.tsx', '/[org]', ['org']],
    [
      '[org]/[project]/issues/[issue]/page.tsx',
      '/[org]/[project]/issues/[issue]',
      ['org', 'project', 'issue'],
    ],
    ['(app)/[org]/settings/page.tsx', '/[org]/settings', ['org']],
    ['logout/page.server.ts', '/logout', []],
    ['.well-known/x_y~z@1/page.tsx', '/.well-known/x_y~z@1', []],
    ['a\\[b]\\page.tsx', '/a/[b]', ['b']],
  ]
  for (const [file, id, params] of rows) {
    test(`${file} is ${id}`, () => {
      const [page] = buildRouteTable([file]).pages
      assert.deepEqual([page?.id, page?.params], [id, params])
    })
  }
})

describe('a URL finds its template', () => {
  const files = [
    'page.tsx',
    'about/page.tsx',
    '[org]/page.tsx',
    '[org]/new/page.tsx',
    '[org]/[project]/page.tsx',
    'about/[topic]/page.tsx',
    '[org]/layout.tsx',
    '[org]/[project]/issues/page.tsx',
    '[org]/[project]/issues/[issue]/page.tsx',
    '[org]/[project]/issues/[issue]/events/latest/page.tsx',
    '[org]/[project]/issues/[issue]/events/[event]/page.tsx',
  ]
  const match = createMatcher(buildRouteTable(files).pages)
  const rows: [url: string, template: string | null, params: Record<string, string>][] = [
    ['/', '/', {}],
    ['/about', '/about', {}],
    ['/acme', '/[org]', { org: 'acme' }],
    ['/acme/', '/[org]', { org: 'acme' }],
    ['/acme/new', '/[org]/new', { org: 'acme' }],
    ['/acme/shop', '/[org]/[project]', { org: 'acme', project: 'shop' }],
    ['/about/us', '/about/[topic]', { topic: 'us' }],
    // Both patterns have one static segment: the one that is static further left wins.
    ['/about/new', '/about/[topic]', { topic: 'new' }],
    ['/a/b/issues/7', '/[org]/[project]/issues/[issue]', { org: 'a', project: 'b', issue: '7' }],
    [
      '/a/b/issues/7/events/latest',
      '/[org]/[project]/issues/[issue]/events/latest',
      { org: 'a', project: 'b', issue: '7' },
    ],
    ['/caf%C3%A9/a%20b', '/[org]/[project]', { org: 'café', project: 'a b' }],
    ['/acme/SHOP/Issues/', '/[org]/[project]/issues', { org: 'acme', project: 'SHOP' }],
    ['/acme/a%2Fb', '/[org]/[project]', { org: 'acme', project: 'a/b' }],
    // It cannot be decoded, and is taken as it is.
    ['/acme/%E0%A4', '/[org]/[project]', { org: 'acme', project: '%E0%A4' }],
    ['/a/b/c', null, {}],
    ['//acme', null, {}],
    ['/acme//issues', null, {}],
  ]
  for (const [url, template, params] of rows) {
    test(`${url} is ${template}`, () => {
      const found = match(url)
      assert.equal(found.template, template)
      assert.deepEqual({ ...found.params }, params)
    })
  }
})

describe('layouts', () => {
  test('wrap the pages below them, outermost first, groups included', () => {
    const table = buildRouteTable([
      'layout.tsx',
      'page.tsx',
      '(app)/layout.tsx',
      '(app)/layout.server.ts',
      '(app)/[org]/layout.tsx',
      '(app)/[org]/page.tsx',
      'sign-in/page.tsx',
      '(app)/[org]2/ignored.tsx',
    ])
    const layoutsOf = (id: string): unknown => table.pages.find((page) => page.id === id)?.layouts
    assert.deepEqual(layoutsOf('/'), ['layout:/'])
    assert.deepEqual(layoutsOf('/sign-in'), ['layout:/'])
    assert.deepEqual(layoutsOf('/[org]'), ['layout:/', 'layout:/(app)', 'layout:/(app)/[org]'])
    assert.equal(table.layouts.find((l) => l.id === 'layout:/(app)')?.serverFile, '(app)/layout.server.ts')
  })

  test('of a folder do not wrap a sibling whose name begins alike', () => {
    const table = buildRouteTable(['a/layout.tsx', 'a/page.tsx', 'ab/page.tsx'])
    assert.deepEqual(table.pages.find((page) => page.id === '/ab')?.layouts, [])
  })
})

describe('odd trees are refused by name', () => {
  const rows: [what: string, files: string[], message: RegExp][] = [
    ['a catch-all', ['docs/[...path]/page.tsx'], /docs\/\[\.\.\.path\]\/page\.tsx: catch-all/],
    ['an optional segment', ['[[lang]]/page.tsx'], /optional segments like \[\[lang\]\]/],
    ['an empty parameter', ['[]/page.tsx'], /"\[\]" is not a segment/],
    ['a parameter with a dash', ['[my-org]/page.tsx'], /"\[my-org\]" is not a segment/],
    ['half a parameter', ['v[major]/page.tsx'], /"v\[major\]" is not a segment/],
    ['a colon', [':org/page.tsx'], /":org" is not a segment/],
    ['a star', ['*/page.tsx'], /"\*" is not a segment/],
    ['a question mark', ['a?/page.tsx'], /"a\?" is not a segment/],
    ['the same parameter twice', ['[id]/x/[id]/page.tsx'], /names the parameter \[id\] twice/],
    ['two names for one URL', ['[a]/page.tsx', '[b]/page.tsx'], /matches the same URLs as/],
    ['a group beside its twin', ['x/page.tsx', '(g)/x/page.tsx'], /matches the same URLs as/],
    ['names that differ in case', ['Docs/page.tsx', 'docs/page.tsx'], /matches the same URLs as/],
    ['layout data without a layout', ['a/layout.server.ts'], /needs a layout\.tsx beside it/],
  ]
  for (const [what, files, message] of rows) {
    test(what, () => {
      assert.throws(
        () => buildRouteTable(files),
        (error) => error instanceof RouteTableError && message.test(error.message),
      )
    })
  }
  test('no pages at all is an empty table', () => {
    assert.deepEqual(buildRouteTable(['readme.md', 'parts/table.tsx']), { pages: [], layouts: [] })
  })
})
