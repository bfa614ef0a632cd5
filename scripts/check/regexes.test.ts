import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  checkRegexes,
  isPlainlyLinear,
  isSlow,
  type Judge,
  judgeByRecheck,
  rememberingJudge,
} from './regexes.ts'

const PATH = 'packages/ingest/src/body.ts'
const checked = (text: string, allowed = {}, judge = judgeByRecheck): Promise<string[]> =>
  checkRegexes([{ path: PATH, text }], judge, 'paths' in allowed ? [allowed as never] : [], {})

test('an expression that is slow on some text fails, with the text', async () => {
  // Each was in the doors or behind them.
  const slow = [
    String.raw`/^[\w+/\s-]+={0,2}\s*$/`,
    String.raw`/\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b/g`,
    String.raw`/^(?:[A-Z]*[a-z]{2,})+$/`,
  ]
  const problems = await checked(slow.map((regex) => `const a = ${regex}\n`).join(''))
  assert.equal(problems.length, 3)
  for (const [at, regex] of slow.entries()) {
    const problem = problems.find((text) => text.includes(regex)) ?? ''
    assert.match(problem, /takes (exponential|2nd degree polynomial)/)
    assert.ok(problem.startsWith(`${PATH}:${at + 1}: `), problem)
  }
})

test('its linear form passes, and so does what only looks like an expression', async () => {
  const text = String.raw`
    const digits = /[^\w+/\s-]/.test(text)
    // not this: /(a*)*b/
    const said = '/(a*)*b/'
    const share = (a*a)/b/c`
  assert.deepEqual(await checked(text), [])
})

test('only a shape that cannot be slow is not asked about', () => {
  const isPlain = (regex: RegExp) => isPlainlyLinear(regex)
  for (const regex of [/^https?:\/\//i, /[*+]{/, /^\w+$/, /^v?\d{1,3}(?:rc)?$/, /\*\+\{2\}/, /a|b/])
    assert.ok(isPlain(regex), String(regex))
  // No bound to a start, a second repetition, a repeated group, a start of each line, one of two ways.
  for (const regex of [
    /\s+$/,
    /^\d+\.\d+$/,
    /^(?:a|a)*$/,
    /^(?:[a-z]+)+$/,
    /^\s+$/m,
    /^a|\s+$/,
    /[[a-z]--[b]]+$/v,
  ])
    assert.ok(!isPlain(regex), String(regex))
})

test('a guess counts only when the text really takes long', () => {
  const guess = (prefix: string, pump: string, suffix: string) => ({ pumps: [{ prefix, pump }], suffix })
  assert.equal(isSlow(/\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b/g, guess('', '1', 'g')), true)
  // Up to sixty steps for each character, and not one more for a longer text.
  assert.equal(isSlow(/(?:Mobile|Tablet);.{0,60}Firefox\/(\d)/, guess('', 'Tablet;r', '\n')), false)
})

test('an expression from a constant text is judged, one from anything else is refused', async () => {
  const problems = await checked(
    "new RegExp('(a*)*b')\nRegExp(`^a$`, 'i')\nnew globalThis.RegExp(pattern)\nRegExp('a', flags)",
  )
  assert.equal(problems.length, 3)
  assert.match(problems[0] ?? '', /:1: \/\(a\*\)\*b\/ takes exponential time/)
  assert.match(problems[1] ?? '', /:3: new globalThis.RegExp\(pattern\) is made of what nobody has checked/)
  assert.match(problems[2] ?? '', /:4: RegExp\('a', flags\) is made of/)
})

test('what is allowed passes in its own files, and must still stand there', async () => {
  const allowed = { paths: [PATH], regexes: ['/(a*)*b/'], reason: 'short' }
  assert.deepEqual(await checked('/(a*)*b/', allowed), [])
  assert.match((await checked('1', allowed))[0] ?? '', /ALLOWED has .* which is nowhere/)
  const elsewhere = await checked('/(a*)*b/', { ...allowed, paths: ['packages/ingest/src/doors/'] })
  assert.equal(elsewhere.length, 2)
})

test('what was found harmless is judged once', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-regexes-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const judged: string[] = []
  const judge: Judge = async ({ source }) => {
    judged.push(source)
    return source === 'busy' ? 'could not be judged (timeout)' : source === 'slow' ? 'is slow' : undefined
  }
  for (let run = 0; run < 2; run++) {
    const remembering = rememberingJudge(join(dir, 'judged.json'), judge)
    const problems = await checked('[/slow/, /fast/, /busy/]', {}, remembering)
    assert.equal(problems.length, 2)
    remembering.save()
  }
  assert.deepEqual(judged.toSorted(), ['busy', 'busy', 'fast', 'slow', 'slow'])
})
