import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { colourLines, type Piece } from '../../../../src/parts/event/frame-line.tsx'
import { type Language, languageOf } from '../../../../src/parts/event/syntax/languages.ts'

const of = (file: string): Language => {
  const language = languageOf({ filename: file }, 'other')
  assert.ok(language, file)
  return language
}
const coloured = (pieces: readonly Piece[] | undefined) =>
  (pieces ?? []).flatMap(({ text, kind }) => (kind === undefined ? [] : [`${kind} ${text}`]))
const line = (file: string, text: string) => coloured(colourLines([text], of(file))[0])

test('each language has its own comments, strings and keywords', () => {
  assert.deepEqual(line('a.tsx', "const a = 'it\\'s' + 0xff // no"), [
    'keyword const',
    "string 'it\\'s'",
    'number 0xff',
    'comment // no',
  ])
  assert.deepEqual(line('a.py', 'def f(x): return f"{x}" # no'), [
    'keyword def',
    'keyword return',
    'string f"{x}"',
    'comment # no',
  ])
  assert.deepEqual(line('a.go', 'func main() { x := nil // no'), [
    'keyword func',
    'keyword nil',
    'comment // no',
  ])
  assert.deepEqual(line('A.java', 'throw new Foo("x", 1.5f);'), [
    'keyword throw',
    'keyword new',
    'string "x"',
    'number 1.5f',
  ])
  assert.deepEqual(line('a.rb', 'raise :oops unless x # no'), [
    'keyword raise',
    'string :oops',
    'keyword unless',
    'comment # no',
  ])
  assert.deepEqual(line('a.php', "echo 'x'; # no"), ['keyword echo', "string 'x'", 'comment # no'])
})

test('a number or keyword inside a name, a string or a comment is none', () => {
  assert.deepEqual(line('a.js', 'x1 = forEach(returned)'), [])
  assert.deepEqual(line('a.js', '"return 1"'), ['string "return 1"'])
  assert.deepEqual(line('a.js', '// return 1'), ['comment // return 1'])
})

test('what began on one line goes on over the next ones, up to its end', () => {
  const pieces = colourLines(['a /* one', 'two */ return', '`x', 'y` 1'], of('a.ts'))
  assert.deepEqual(pieces.map(coloured), [
    ['comment /* one'],
    ['comment two */', 'keyword return'],
    ['string `x'],
    ['string y`', 'number 1'],
  ])
  assert.deepEqual(colourLines(['"""doc', 'more"""', 'pass'], of('a.py')).map(coloured), [
    ['string """doc'],
    ['string more"""'],
    ['keyword pass'],
  ])
})

test('the platform decides where the file has no ending, and an unknown language is left alone', () => {
  assert.equal(languageOf({ filename: 'x' }, 'python'), of('a.py'))
  assert.equal(languageOf({ filename: 'https://x/a.js?v=1' }, 'other'), of('a.ts'))
  assert.deepEqual(colourLines(['return 1'], languageOf({ filename: 'a.xyz' }, 'other')), [
    [{ text: 'return 1', kind: undefined }],
  ])
})

const CODE = ['"', "'", '`', '/', '*', '#', '\\', '\n', ' ', ':', 'a', '1', '.', '0', 'x', '_', '$', '{', '}']

test('no text is lost or added, whatever the code', () => {
  const files = ['a.ts', 'a.py', 'a.go', 'a.java', 'a.cs', 'a.php', 'a.rb']
  const code = fc.string({ unit: fc.constantFrom(...CODE) })
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.array(code, { maxLength: 6 }), (file, lines) => {
      const joined = colourLines(lines, of(file)).map((pieces) => pieces.map(({ text }) => text).join(''))
      assert.deepEqual(joined, lines)
    }),
  )
})

test('hostile code takes no longer than its length', () => {
  const startMs = performance.now()
  for (const text of [
    '"'.repeat(20_000),
    '\\"'.repeat(10_000),
    '1'.repeat(20_000),
    '/*'.repeat(10_000),
    '1_'.repeat(10_000),
  ])
    for (const file of ['a.ts', 'a.py', 'a.rb']) colourLines([text], of(file))
  assert.ok(performance.now() - startMs < 2_000)
})
