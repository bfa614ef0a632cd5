import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type BundleCheck, checkBundle } from '../../src/sourcemaps/check-bundle.ts'
import { readFolder } from '../../src/sourcemaps/read-folder.ts'
import { builtApp } from './built.ts'

const ID = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'
const OTHER = '00000000-0000-4000-8000-000000000001'

const checks = (dir: string): BundleCheck[] => [...readFolder(dir)].map((bundle) => checkBundle(bundle))
const problemsOf = (dir: string): string[] =>
  checks(dir).flatMap(({ problems }) => problems.map(({ problem }) => problem))

function withId(dir: string, codeId: string, mapId?: string): void {
  const file = join(dir, 'main.js')
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n//# debugId=${codeId}\n`)
  if (mapId !== undefined) changeMap(dir, (map) => ({ ...map, debug_id: mapId }))
}

function changeMap(dir: string, change: (map: Record<string, unknown>) => Record<string, unknown>): void {
  const file = join(dir, 'main.js.map')
  writeFileSync(
    file,
    JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)),
  )
}

test('a build with debug ids in code and map is well', async (t) => {
  const dir = await builtApp(t)
  withId(dir, ID, ID)
  const [check, ...more] = checks(dir)
  assert.equal(more.length, 0)
  assert.deepEqual(check?.problems, [])
  assert.equal(check?.file, 'main.js')
  assert.equal(check?.debugId, ID)
  assert.equal(check?.map, 'main.js.map')
  assert.deepEqual(check?.sources, { named: 2, withText: 2 })
  assert.ok((check?.positions?.mapped ?? 0) > 20)
  assert.equal(check?.positions?.wrong, 0)
})

test('what a build lacks is named, each by its own problem', async (t) => {
  const plain = await builtApp(t)
  assert.deepEqual(problemsOf(plain), ['no_debug_id'])

  const differ = await builtApp(t)
  withId(differ, ID, OTHER)
  assert.deepEqual(problemsOf(differ), ['ids_differ'])

  const bare = await builtApp(t, { sourcemap: false })
  withId(bare, ID)
  assert.deepEqual(problemsOf(bare), ['no_map'])

  const gone = await builtApp(t, { sourcemap: false })
  withId(gone, ID)
  writeFileSync(
    join(gone, 'main.js'),
    `${readFileSync(join(gone, 'main.js'), 'utf8')}\n//# sourceMappingURL=main.js.map\n`,
  )
  assert.deepEqual(problemsOf(gone), ['map_missing'])

  const truncated = await builtApp(t)
  withId(truncated, ID)
  const map = readFileSync(join(truncated, 'main.js.map'), 'utf8')
  writeFileSync(join(truncated, 'main.js.map'), map.slice(0, map.length / 2))
  assert.deepEqual(problemsOf(truncated), ['map_unreadable'])
})

test('a map without the text of its sources is well where the sources lie beside it', async (t) => {
  const dir = await builtApp(t)
  withId(dir, ID, ID)
  changeMap(dir, (map) => ({ ...map, sourcesContent: undefined }))
  assert.deepEqual(problemsOf(dir), [])
  changeMap(dir, (map) => ({ ...map, sources: ['../gone/cart.ts', '../gone/main.ts'] }))
  assert.deepEqual(problemsOf(dir), ['no_sources'])
})

test('a map of another build is found out by where it leads', async (t) => {
  const dir = await builtApp(t)
  withId(dir, ID, ID)
  changeMap(dir, (map) => ({ ...map, sourcesContent: ['// one line', '// another'] }))
  const [check] = checks(dir)
  assert.deepEqual(
    check?.problems.map(({ problem }) => problem),
    ['wrong_positions'],
  )
  assert.match(check?.problems[0]?.detail ?? '', /of the file leads to line \d+ of .*cart\.ts, which has 1/)
})

test('maps that are inline, or hidden from browsers, are found too', async (t) => {
  const inline = await builtApp(t, { sourcemap: 'inline' })
  withId(inline, ID)
  assert.deepEqual(problemsOf(inline), [])
  assert.equal(checks(inline)[0]?.map, 'inline')
  const hidden = await builtApp(t, { sourcemap: 'hidden' })
  withId(hidden, ID)
  assert.deepEqual(problemsOf(hidden), [])
})

test('the snippet of the stock plugins is a debug id as well', async (t) => {
  const dir = await builtApp(t, {
    banner: `globalThis._sentryDebugIdIdentifier="sentry-dbid-${ID}";`,
  })
  assert.deepEqual(problemsOf(dir), [])
  assert.equal(checks(dir)[0]?.debugId, ID)
})
