/** docs/screens: no screen of Sonde is missing, and none is described that is not there. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..', '..')
const ROUTES = join(ROOT, 'packages', 'web', 'src', 'routes')
const PAGES = join(ROOT, 'docs', 'screens')

test('every screen is described, by its address', () => {
  const screens = readdirSync(ROUTES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`)
    .sort()
  const text = readdirSync(PAGES)
    .filter((file) => file.endsWith('.md'))
    .map((file) => readFileSync(join(PAGES, file), 'utf8'))
    .join('\n')
  const described = new Set([...text.matchAll(/`(\/[^`\s]*)`/g)].map(([, address = '']) => address))
  described.delete('/acme/shop/issues')
  assert.deepEqual([...described].sort(), screens)
})
