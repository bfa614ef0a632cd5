import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { rolldown } from 'rolldown'
import { writeAsAscii } from './ascii-files.ts'

const SOURCE = `
const naïve = 'ü – 😀'
export const texts = [naïve, \`\${naïve} … 漢字\`, /^[ä-ü…]+😀$/u.test('ö…😀'), '\\\\é']
export const marker = () => { throw new Error('— here') }
`

async function build(t: TestContext): Promise<{ code: string; ascii: string; map: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'ascii-'))
  t.after(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'source.js'), SOURCE)
  const bundle = await rolldown({ input: join(dir, 'source.js') })
  await bundle.write({ dir, format: 'esm', entryFileNames: 'built.js', sourcemap: true })
  await bundle.close()
  const file = join(dir, 'built.js')
  const code = readFileSync(file, 'utf8')
  writeAsAscii([file])
  return { code, ascii: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }
}

test('a bundle is ASCII alone and means the same', async (t) => {
  const { code, ascii } = await build(t)
  assert.match(ascii, /^\p{ASCII}*$/u)
  const load = async (text: string): Promise<{ texts: unknown }> =>
    (await import(`data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`)) as { texts: unknown }
  assert.deepEqual((await load(ascii)).texts, (await load(code)).texts)
})

test('positions after an escape are found in the source', async (t) => {
  const { ascii, map } = await build(t)
  const found = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0])
  for (const [built, original] of [
    ['/^[', '/^['],
    ['"\\u00f6', "'ö"],
    ['Error(', 'Error('],
  ] as const) {
    const { line, column } = placeOf(ascii, built)
    const entry = found.findEntry(line, column)
    assert.ok('originalLine' in entry, built)
    assert.deepEqual({ line: entry.originalLine, column: entry.originalColumn }, placeOf(SOURCE, original))
  }
})

test('a template whose source is read fails the build', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'ascii-'))
  t.after(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'raw.js'), 'export const path = String.raw`\\ü`')
  assert.throws(() => writeAsAscii([join(dir, 'raw.js')]), /an escape would change the source of raw`/)
})

/** From 0, as Node counts here. */
function placeOf(text: string, part: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(part)).split('\n')
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 }
}
