import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWebRoutes } from './web-routes.ts'

const WEB = 'packages/web/src'
const ROUTES = ['', '/[org]', '/[org]/issues', '/[org]/issues/[issue]', '/[org]/sql']

function check(path: string, imported: string): string[] {
  const pages = ROUTES.map((route): [string, string] => [`${WEB}/routes${route}/page.tsx`, ''])
  return checkWebRoutes(new Map([...pages, [`${WEB}/${path}`, imported]]))
}

test('a route may use its own files, those of the route above it, and parts', () => {
  const path = 'routes/[org]/issues/[issue]/head.tsx'
  assert.deepEqual(check(path, "import { a } from './side.tsx'\n"), [])
  assert.deepEqual(check(path, "import { a } from '../row.tsx'\n"), [])
  assert.deepEqual(check(path, "import '../../../../parts/forms/forms.css'\n"), [])
})

test('a route may not use the files of another, nor those of the organization, not even as a type', () => {
  for (const imported of [
    "import { a } from '../sql/editor.tsx'",
    "import type { A } from '../sql/editor.tsx'",
    "const a = import('../sql/editor.tsx')",
    "import '../sql/sql.css'",
    "import { a } from '../card.tsx'",
    "import { a } from './[issue]/head.tsx'",
  ])
    assert.match(check('routes/[org]/issues/row.tsx', `${imported}\n`)[0] ?? '', /another route/, imported)
})

test('what is no route may not use a route', () => {
  assert.match(
    check('shell/menu.tsx', "import type { A } from '../routes/[org]/sql/editor.tsx'\n")[0] ?? '',
    /only routes/,
  )
})
