import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkProblems, filesOf, type Manifest, pageProblems, sizeProblems } from './sizes.ts'

const MANIFEST: Manifest = {
  entry: { file: 'entry.js', isEntry: true, imports: ['_react'] },
  _react: { file: 'react.js' },
  'list.tsx': { file: 'list.js', imports: ['_table', 'entry'] },
  _table: { file: 'table.js', imports: ['_react'] },
  'chart.tsx': { file: 'chart.js' },
}
const limits = { list: { routes: ['list.tsx'], maxGzipBytes: 4000 } }

test('a page costs its entry, its route and what they import, each once, and nothing else', () => {
  assert.deepEqual(filesOf(MANIFEST, ['list.tsx']).toSorted(), [
    'entry.js',
    'list.js',
    'react.js',
    'table.js',
  ])
})

test('a page within its limit passes', () =>
  assert.deepEqual(
    sizeProblems(limits, MANIFEST, () => 1000),
    [],
  ))
test('a page over its limit fails', () =>
  assert.match(sizeProblems(limits, MANIFEST, () => 1001)[0] ?? '', /4004 bytes gzipped, allowed are 4000/))
test('a page far under its limit asks to lower it', () =>
  assert.match(sizeProblems(limits, MANIFEST, () => 900)[0] ?? '', /lower its limit/))
test('a page whose route is not in the build fails', () =>
  assert.match(
    sizeProblems({ gone: { routes: ['gone.tsx'], maxGzipBytes: 1 } }, MANIFEST, () => 1)[0] ?? '',
    /has no gone/,
  ))
test('a chunk over 60 kB fails, the entry may be larger', () => {
  assert.deepEqual(
    chunkProblems(MANIFEST, (file) => (file === 'entry.js' ? 99_999 : 61_440)),
    [],
  )
  assert.equal(chunkProblems(MANIFEST, (file) => (file === 'chart.js' ? 61_441 : 1)).length, 1)
})

test('a page over 120 kB with its layouts fails, whether it has a limit of its own or not', () => {
  const manifest: Manifest = {
    entry: { file: 'entry.js', isEntry: true },
    'src/routes/layout.tsx': { file: 'layout.js' },
    'src/routes/[org]/page.tsx': { file: 'page.js' },
  }
  assert.deepEqual(
    pageProblems(manifest, () => 40_000),
    [],
  )
  assert.match(
    pageProblems(manifest, () => 40_001)[0] ?? '',
    /\[org\]\/page\.tsx: 120003 bytes gzipped; no page may pass 120000/,
  )
})
