import assert from 'node:assert/strict'
import { test } from 'node:test'
import { githubAnnotations, gitlabReport } from '../../src/sourcemaps/answer-formats.ts'
import type { BundleCheck } from '../../src/sourcemaps/check-bundle.ts'

const CHECKS: readonly BundleCheck[] = [
  { file: 'good.js', problems: [] },
  { file: 'a,b:c.js', problems: [{ problem: 'no_debug_id', detail: '100 % of it\nhas none' }] },
  { file: 'late.js', problems: [{ problem: 'not_checked', detail: 'its map is not public' }] },
]

test('each problem is one workflow command of GitHub, on its file, with what its syntax means escaped', () => {
  const [error = '', warning = '', ...more] = githubAnnotations(CHECKS, 'dist')
  assert.deepEqual(more, [])
  assert.match(
    error,
    /^::error file=dist\/a%2Cb%3Ac\.js,title=Source maps%3A no debug id::a,b:c\.js: 100 %25 of it%0Ahas none%0AInject/,
  )
  assert.match(warning, /^::warning file=dist\/late\.js,/)
  assert.match(githubAnnotations(CHECKS, undefined)[0] ?? '', /^::error title=/)
})

test('the report of GitLab names the file, and a problem keeps its fingerprint', () => {
  const read = (text: string) =>
    JSON.parse(text) as {
      description: string
      check_name: string
      fingerprint: string
      severity: string
      location: { path: string; lines: { begin: number } }
    }[]
  const [major, minor] = read(gitlabReport(CHECKS, 'dist'))
  assert.deepEqual(
    [major?.check_name, major?.severity, major?.location, minor?.severity],
    ['sourcemaps/no_debug_id', 'major', { path: 'dist/a,b:c.js', lines: { begin: 1 } }, 'minor'],
  )
  const [again] = read(gitlabReport(CHECKS.slice(1, 2), 'dist'))
  assert.equal(again?.fingerprint, major?.fingerprint)
  assert.notEqual(minor?.fingerprint, major?.fingerprint)
})
