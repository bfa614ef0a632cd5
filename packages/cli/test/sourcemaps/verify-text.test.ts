import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BundleCheck } from '../../src/sourcemaps/check-bundle.ts'
import { verifyText } from '../../src/sourcemaps/verify-text.ts'

const ID = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'
const good: BundleCheck = {
  file: 'main.js',
  debugId: ID,
  map: 'main.js.map',
  mapDebugId: ID,
  sources: { named: 3, withText: 2 },
  positions: { tried: 20, mapped: 19, wrong: 1 },
  problems: [],
}
const unchecked: BundleCheck = {
  file: 'https://shop.example/a.js',
  debugId: ID,
  problems: [{ problem: 'not_checked', detail: 'its map is not public, as it should be' }],
}
const text = (...bundles: BundleCheck[]): string => verifyText({ bundles, publicMaps: [], elsewhere: [] })

test('a line says of each script what was found, and the last one whether all is well', () => {
  const [head = '', line = '', , end] = text(good).split('\n')
  assert.deepEqual(head.split(/ {2,}/), ['file', 'debug id', 'map', 'ids', 'sources', 'positions'])
  assert.deepEqual(line.split(/ {2,}/), ['main.js', ID, 'main.js.map', 'equal', '2/3', '18/20', 'ok'])
  assert.equal(end, '1 bundle: it will be readable.')
})

test('what to do about a problem is said once, however many scripts have it', () => {
  const without = (file: string): BundleCheck => ({
    file,
    problems: [{ problem: 'no_map', detail: 'it names no source map' }],
  })
  const said = text(without('a.js'), without('b.js'), good)
  assert.match(said, /2 of 3 will not be readable:\n {2}a\.js: it names no source map\n {2}b\.js:/)
  assert.equal(said.split('Turn source maps on').length, 2)
})

test('what could not be checked is not called unreadable, and maps of everybody are listed', () => {
  assert.match(text(unchecked, good), /1 of 2 could not be checked:/)
  const said = verifyText({
    bundles: [good],
    publicMaps: ['a.js (a.js.map)'],
    elsewhere: ['https://cdn.example/x.js'],
  })
  assert.match(said, /Anybody can read these maps, and your sources in them:\n {2}a\.js \(a\.js\.map\)/)
  assert.match(said, /of other hosts \(name them with --host\):\n {2}https:\/\/cdn\.example\/x\.js/)
})
