import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { builtScripts, deleteMaps, injectFolder } from '../../src/sourcemaps/build-folder.ts'
import { checkBundle } from '../../src/sourcemaps/check-bundle.ts'
import { injectDebugId } from '../../src/sourcemaps/inject.ts'
import { readFolder } from '../../src/sourcemaps/read-folder.ts'
import { builtApp } from './built.ts'

const MAP = { version: 3, sources: ['a.ts'], sourcesContent: ['throw 1'], mappings: 'AAAA', names: [] }
const inject = (code: string, map: object = MAP) => {
  const made = injectDebugId(code, JSON.stringify(map))
  assert.ok(made)
  return { ...made, code: made.code ?? code, map: JSON.parse(made.map ?? JSON.stringify(map)) as typeof MAP }
}

test('a real build is well afterwards: ids agree, and places still lead to their source', async (t) => {
  const dir = await builtApp(t)
  assert.deepEqual(
    [...readFolder(dir)].flatMap((bundle) => checkBundle(bundle).problems.map(({ problem }) => problem)),
    ['no_debug_id'],
  )
  const { scripts, injected } = injectFolder(dir)
  assert.deepEqual([scripts.length, injected], [1, ['main.js']])
  const [check] = [...readFolder(dir)].map((bundle) => checkBundle(bundle))
  assert.deepEqual(check?.problems, [])
  assert.equal(check?.debugId, scripts[0]?.debugId)
  assert.ok((check?.positions?.mapped ?? 0) > 20)
  const [code, map] = ['main.js', 'main.js.map'].map((name) => readFileSync(join(dir, name), 'utf8'))
  assert.deepEqual(injectFolder(dir).injected, [], 'a second time changes nothing')
  assert.deepEqual(
    ['main.js', 'main.js.map'].map((name) => readFileSync(join(dir, name), 'utf8')),
    [code, map],
  )
  assert.equal(deleteMaps(scripts), 1)
  assert.deepEqual(builtScripts(dir), [])
})

test('the running script tells its id to SDKs, and the rest runs as before', () => {
  const { code, debugId } = inject('"use strict";\nresult = (function () { return this === undefined })()')
  const place: Record<string, unknown> = { Error }
  runInNewContext(`var result\n${code}`, place)
  assert.match(debugId, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(code.endsWith(`//# debugId=${debugId}\n`))
  const ids = (place['_sentryDebugIds'] ?? (place['window'] as never)) as Record<string, string>
  assert.deepEqual(Object.values(ids), [debugId])
})

for (const [name, before, after] of [
  ['strict mode', '"use strict";x()', '"use strict";!function'],
  ['a directive after a comment', "/*! MIT */ 'use client'\nx()", "'use client';!function"],
  ['no directive', '"a".length', '!function'],
] as const)
  test(`${name} stays in force`, () => assert.ok(inject(before).code.startsWith(after)))

test('the first line of a program stays the first, and its map moves by what stands below', () => {
  const { code, map } = inject('#!/usr/bin/env node\nthrow 1\n', { ...MAP, mappings: ';AAAA;AACA' })
  assert.ok(code.startsWith('#!/usr/bin/env node\n!function'))
  assert.equal(map.mappings, ';;AAAA;AACA')
  assert.equal(inject('throw 1').map.mappings, ';AAAA')
  const sections = [{ offset: { line: 0, column: 0 }, map: MAP }]
  const indexed = inject('throw 1', { version: 3, sections }).map as unknown as { sections: typeof sections }
  assert.equal(indexed.sections[0]?.offset.line, 1)
})

test('an id that is there stays, and its map gets it', () => {
  const id = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'
  const made = injectDebugId(`throw 1\n//# debugId=${id}\n`, JSON.stringify(MAP))
  assert.deepEqual([made?.debugId, made?.code], [id, undefined])
  assert.equal((JSON.parse(made?.map ?? '{}') as { debugId: string }).debugId, id)
  assert.equal(injectDebugId('throw 1', JSON.stringify({ ...MAP, debugId: id }))?.debugId, id)
})

test('the same build has the same ids, another one others; what is no map is said', async (t) => {
  assert.equal(inject('x()').debugId, inject('x()').debugId)
  assert.notEqual(inject('x()').debugId, inject('y()').debugId)
  for (const text of ['', '[]', '{"version":3}', 'null'])
    assert.equal(injectDebugId('x()', text), undefined, text)
  const dir = await builtApp(t)
  writeFileSync(join(dir, 'main.js.map'), '{')
  assert.throws(() => injectFolder(dir), /main\.js\.map is no source map/)
})
