import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'
import { test } from 'node:test'
import { readSourceMap } from '@sonde/sourcemaps'
import fc from 'fast-check'
import { checkBundle } from '../../src/cli/sourcemaps/check-bundle.ts'
import { snippetPlace } from '../../src/cli/sourcemaps/debug-id-snippet.ts'
import { type Injected, injectDebugId, type JsonMap } from '../../src/cli/sourcemaps/inject-debug-id.ts'
import { prepareBundle } from '../../src/cli/sourcemaps/prepare-bundle.ts'
import { readFolder } from '../../src/cli/sourcemaps/read-folder.ts'
import { shiftMap } from '../../src/cli/sourcemaps/shift-map.ts'
import { builtApp } from './built.ts'

const ID = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'
const MAP: JsonMap = { version: 3, sources: ['a.ts'], sourcesContent: ['x()'], names: [], mappings: 'AAAA' }

function injected(code: string, map: JsonMap = MAP): Injected {
  const done = injectDebugId(code, map)
  assert.ok(!('refused' in done))
  return done
}
const bytes = (map: JsonMap): Uint8Array => new TextEncoder().encode(JSON.stringify(map))

test('the script tells its debug id when it runs, by the stack of its own error', () => {
  const { code, debugId, map } = injected('globalThis.ran = true')
  const page: { ran?: boolean; _sentryDebugIds?: Record<string, string> } = {}
  runInNewContext(code, page, { filename: 'https://shop.example/app.js' })
  assert.equal(page.ran, true)
  const [[stack, told] = []] = Object.entries(page['_sentryDebugIds'] ?? {})
  assert.equal(told, debugId)
  assert.match(stack ?? '', /https:\/\/shop\.example\/app\.js:1:/)
  assert.equal(readSourceMap(bytes(map)).debugId, debugId)
})

test('done twice nothing changes, and an id that is there stays', () => {
  const once = injected('x()\n//# sourceMappingURL=app.js.map')
  const twice = injected(once.code, once.map)
  assert.deepEqual([twice.isCodeChanged, twice.isMapChanged, twice.debugId], [false, false, once.debugId])
  assert.equal(injected('x()').debugId, injected('x()').debugId)
  assert.notEqual(injected('x()').debugId, injected('y()').debugId)
  assert.equal(injected(`x()\n//# debugId=${ID}\n`).debugId, ID)
  assert.equal(injected('x()', { ...MAP, debug_id: ID }).debugId, ID)
  assert.deepEqual(Object.keys(injectDebugId(`x()\n//# debugId=${ID}`, { ...MAP, debugId: once.debugId })), [
    'refused',
  ])
})

test('the snippet of a bundler plugin stays, so its map is not shifted', () => {
  const { code, map } = injected(`globalThis._sentryDebugIdIdentifier="sentry-dbid-${ID}";x()`)
  assert.equal(map['mappings'], 'AAAA')
  assert.equal(map['debug_id'], ID)
  assert.match(code, /^globalThis/)
  assert.ok(code.endsWith(`//# debugId=${ID}\n`))
})

test('what counts only at the beginning of a file still does', () => {
  assert.deepEqual(snippetPlace('#!/usr/bin/env node\n"use strict";x()'), {
    at: 20,
    line: 1,
    directives: '"use strict";',
  })
  assert.equal(
    snippetPlace("/*! licence */\n'use client'\n'use strict';x()").directives,
    "'use client';'use strict';",
  )
  assert.equal(snippetPlace('"text".length;x()').directives, '')
  const { code } = injected(
    '"use strict";globalThis.isStrict = (function () { return this === undefined })()',
  )
  const page: { isStrict?: boolean } = {}
  runInNewContext(code, page)
  assert.equal(page.isStrict, true)
})

test('a shifted map leads every position of every line to where it led before', () => {
  const letters = fc.constantFrom('AAAA', 'AACA', 'CAAC', 'EAAE', 'GACG')
  const mappings = fc
    .array(fc.array(letters, { maxLength: 4 }), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.map((line) => line.join(',')).join(';'))
  fc.assert(
    fc.property(mappings, fc.nat(2), (text, line) => {
      const before = readSourceMap(bytes({ ...MAP, mappings: text }))
      const after = readSourceMap(bytes(shiftMap({ ...MAP, mappings: text }, line)))
      for (let at = 0; at < 8; at++)
        for (let column = 0; column < 12; column++)
          assert.deepEqual(after.lookUp(at < line ? at : at + 1, column), before.lookUp(at, column))
    }),
  )
})

test('a map of sections is shifted too, the section of the first line within itself', () => {
  const sections = [
    { offset: { line: 0, column: 0 }, map: { ...MAP, mappings: 'AAAA;AAAA' } },
    { offset: { line: 4, column: 2 }, map: MAP },
  ]
  const shifted = readSourceMap(bytes(shiftMap({ version: 3, sections }, 1)))
  const plain = readSourceMap(bytes({ version: 3, sections }))
  for (const [to, from] of [
    [0, 0],
    [2, 1],
    [5, 4],
  ] as const)
    assert.equal(shifted.lookUp(to, 3)?.line, plain.lookUp(from, 3)?.line)
  assert.equal(shifted.lookUp(1, 3), undefined)
})

test('a real build is well after it was prepared, with the same places in its sources', async (t) => {
  for (const sourcemap of [true, 'inline', 'hidden'] as const) {
    const dir = await builtApp(t, { sourcemap })
    const [bundle] = readFolder(dir)
    assert.ok(bundle)
    const prepared = prepareBundle(bundle)
    assert.ok(!('why' in prepared))
    const check = checkBundle({
      ...bundle,
      code: prepared.code,
      map: { kind: 'found', place: 'main.js.map', bytes: new TextEncoder().encode(prepared.map) },
    })
    assert.deepEqual(check.problems, [])
    assert.equal(check.mapDebugId, check.debugId)
    const at = prepared.code.split('\n').findIndex((line) => line.includes('no total in the cart'))
    const column = prepared.code.split('\n')[at]?.indexOf('no total in the cart') ?? -1
    const found = readSourceMap(new TextEncoder().encode(prepared.map)).lookUp(at, column)
    assert.match(found?.source.path ?? '', /cart\.ts$/)
    assert.equal(found?.line, 3)
  }
})
