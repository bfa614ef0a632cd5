import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { stalePages, writePages } from './pages.ts'

test('a page that differs from the code is stale until it is written again', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'sonde-gen-'))
  t.after(() => rmSync(root, { recursive: true }))
  const pages = new Map([['docs/a.md', 'new\n']])
  assert.equal(stalePages(root, pages).length, 1)
  writePages(root, pages)
  assert.deepEqual(stalePages(root, pages), [])
  writeFileSync(join(root, 'docs/a.md'), 'edited\n')
  assert.match(stalePages(root, pages)[0] ?? '', /npm run gen/)
})
