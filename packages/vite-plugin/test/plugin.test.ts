import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sonde, type SondeOptions } from '@sonde/vite-plugin'
import { build } from 'vite'

const BROWSER = join(import.meta.dirname, '../../browser/src/index.ts')

/** Builds a page with one script; returns the names and texts of what came out. */
async function built(t: TestContext, options: SondeOptions): Promise<ReadonlyMap<string, string>> {
  const root = mkdtempSync(join(tmpdir(), 'sonde-vite-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>')
  writeFileSync(join(root, 'main.js'), 'document.title = `built ${Date.now()}`\n')
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@sonde/browser': BROWSER }, conditions: ['@sonde/source', 'module', 'browser'] },
    plugins: [sonde(options)],
  })
  const out = join(root, 'dist')
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
  return new Map(names.map((name) => [name, readFileSync(join(out, name), 'utf8')]))
}

const scriptOf = (files: ReadonlyMap<string, string>): string =>
  [...files].find(([name]) => name.endsWith('.js'))?.[1] ?? ''

test('without a token nothing is uploaded, and no map is made', async (t) => {
  const files = await built(t, { project: 'shop' })
  assert.deepEqual(
    [...files.keys()].filter((name) => name.endsWith('.map')),
    [],
  )
  assert.doesNotMatch(scriptOf(files), /debugId|sentry-dbid/)
})

test('the reporter begins in every page, with the release and what was asked for', async (t) => {
  const dsn = 'https://0123456789abcdef0123456789abcdef@sonde.example/1'
  const files = await built(t, {
    release: 'shop@1</script>',
    init: { dsn, environment: 'test', features: ['breadcrumbs'] },
  })
  const script = scriptOf(files)
  for (const text of [dsn, 'environment', 'shop@1']) assert.ok(script.includes(text), text)
  assert.ok(script.length > 5_000, 'the reporter itself is in it')
  // What is not asked for is not in the page.
  assert.ok(!script.includes('largest-contentful-paint'))
})

test('an upload that fails ends the build, unless it should only warn', async (t) => {
  const away = { project: 'shop', url: 'sonde.example', org: 'acme', token: 'sonde_none' }
  await assert.rejects(built(t, away), /source maps were not uploaded: --url: "sonde\.example" is no address/)
  const files = await built(t, { ...away, onUploadError: 'warn' })
  // Kept for whoever uploads them later.
  assert.ok([...files.keys()].some((name) => name.endsWith('.js.map')))
})
