/** Links of the screens into the documentation: each leads to a page and a heading of it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { headingId } from './links.ts'
import { readPages } from './pages.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const WEB = join(ROOT, 'packages', 'web', 'src')

test('what the screens link to in the documentation is there', () => {
  const pages = new Map(readPages(ROOT).map((page) => [page.path, page]))
  const named = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) =>
      [
        ...readFileSync(join(WEB, file), 'utf8').matchAll(
          /<EmptyState\b[^>]*? docs="([^"]*)"|paths\.docs\('([^']*)'\)/g,
        ),
      ].map(([, empty, plain]) => ({ file, to: empty ?? plain ?? '' })),
    )
  assert.ok(named.length > 20)
  for (const { file, to } of named) {
    const [path = '', hash] = to.split('#')
    const page = pages.get(path)
    assert.ok(page, `${file}: ${to}`)
    if (hash === undefined) continue
    const taken = new Map<string, number>()
    const ids = [...readFileSync(join(ROOT, page.source), 'utf8').matchAll(/^#+ (.+)$/gm)].map(
      ([, text = '']) => headingId(text, taken),
    )
    assert.ok(ids.includes(hash), `${file}: ${to}`)
  }
})
