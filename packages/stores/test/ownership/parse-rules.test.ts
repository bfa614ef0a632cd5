import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { codeownersGlobs, parseCodeowners } from '../../src/ownership/parse-codeowners.ts'
import { OWNERSHIP_LIMITS, parseOwnershipRules } from '../../src/ownership/parse-rules.ts'

const ruleOf = (text: string) => {
  const { rules, problems } = parseOwnershipRules(text)
  assert.deepEqual(problems, [])
  const [rule] = rules
  assert.ok(rule)
  const { type, tag, pattern, owners } = rule
  return { type, ...(tag !== undefined && { tag }), pattern, owners }
}
const problemOf = (text: string): string => {
  const { rules, problems } = parseOwnershipRules(text)
  assert.deepEqual(rules, [])
  return problems.map(({ line, reason }) => `${line}: ${reason}`).join('\n')
}

describe('ownership rules', () => {
  it('are type:pattern and owners, one a line; comments and empty lines are none', () => {
    const { rules, problems } = parseOwnershipRules(
      '# the shop\r\n\r\npath:src/checkout/* #payments ada@acme.org\r\n  url:https://shop.example/v/[0-9]/* Grace@acme.org # remark\n',
    )
    assert.deepEqual(problems, [])
    assert.deepEqual(
      rules.map(({ line, type, pattern, owners }) => [line, type, pattern, owners]),
      [
        [3, 'path', 'src/checkout/*', ['#payments', 'ada@acme.org']],
        [4, 'url', 'https://shop.example/v/[0-9]/*', ['grace@acme.org']],
      ],
    )
  })

  it('patterns may have spaces, with quotes and without', () => {
    const tag = { type: 'tag', tag: 'browser', pattern: 'Chrome 81.0.?', owners: ['#web'] }
    assert.deepEqual(ruleOf('tags.browser:Chrome 81.0.? #web'), tag)
    assert.deepEqual(ruleOf('tags.browser:"Chrome 81.0.?" #web'), tag)
    assert.deepEqual(ruleOf('module:com.example.app a@b.c'), {
      type: 'module',
      pattern: 'com.example.app',
      owners: ['a@b.c'],
    })
    assert.deepEqual(ruleOf('codeowners:/docs/ #docs').type, 'codeowners')
  })

  it('a broken line says what is wrong with it, and the others hold', () => {
    assert.match(problemOf('src/* #web'), /^1: a rule begins with path:/)
    assert.match(problemOf('file:src/* #web'), /"file" is not known/)
    assert.match(problemOf('tags.:x #web'), /"tags." is not known/)
    assert.match(problemOf('path: #web'), /a pattern is needed/)
    assert.match(problemOf('path:src/*'), /owners are needed/)
    assert.match(problemOf('path:src/* web'), /"web" is no owner/)
    assert.match(problemOf('path:"src/* #web'), /quotes/)
    assert.match(problemOf('path:"src/*" web #web'), /"web" is no owner/)
    assert.match(problemOf(`path:${'a'.repeat(501)} #web`), /more than 500 characters/)
    assert.match(
      problemOf(`path:a ${Array.from({ length: 21 }, (_, n) => `#t${n}`).join(' ')}`),
      /at most 20 owners/,
    )
    const { rules, problems } = parseOwnershipRules('path:a #web\nnonsense\npath:b #web')
    assert.deepEqual([rules.map(({ line }) => line), problems.map(({ line }) => line)], [[1, 3], [2]])
  })

  it('there is a last rule and a last problem', () => {
    const many = parseOwnershipRules('path:a #web\n'.repeat(OWNERSHIP_LIMITS.rules + 500))
    assert.equal(many.rules.length, OWNERSHIP_LIMITS.rules)
    assert.ok(many.problems.length > 0 && many.problems.length < 110)
  })

  it('any text is read, in time linear in it', () => {
    const piece = fc.constantFrom(
      'path:',
      'tags.',
      '"',
      '#',
      '@',
      ' ',
      '\n',
      '[',
      '*',
      'a',
      '\\',
      '^[',
      ']',
      '!',
      ':',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        for (const parse of [parseOwnershipRules, parseCodeowners]) {
          const { rules, problems } = parse(pieces.join(''))
          for (const { line, pattern } of rules) assert.ok(line > 0 && pattern !== '')
          for (const { reason } of problems) assert.ok(reason !== '')
        }
      }),
    )
    const startedMs = performance.now()
    for (const worst of [
      'path:' + ' a'.repeat(100_000),
      '"'.repeat(200_000),
      'path:"' + '#'.repeat(200_000),
      '\\ '.repeat(100_000),
    ])
      for (const parse of [parseOwnershipRules, parseCodeowners]) parse(worst)
    assert.ok(performance.now() - startedMs < 2_000)
  })
})

describe('CODEOWNERS', () => {
  it('a pattern and owners a line; a line without owners is a rule that nobody owns', () => {
    const { rules, problems } = parseCodeowners(
      '# all\n* @acme/all\n/src/my\\ app/ @Ada ada@acme.org # remark\n/src/generated\n',
    )
    assert.deepEqual(problems, [])
    assert.deepEqual(
      rules.map(({ line, pattern, owners }) => [line, pattern, owners]),
      [
        [2, '*', ['@acme/all']],
        [3, '/src/my app/', ['@ada', 'ada@acme.org']],
        [4, '/src/generated', []],
      ],
    )
  })

  it('a section of GitLab gives its owners to lines that name none', () => {
    const { rules, problems } = parseCodeowners(
      '[Web][2] @acme/web\n*.tsx\n/src/cart/ @ada\n^[Docs] @acme/docs\n*.md\n[Other]\n*.txt\n',
    )
    assert.deepEqual(problems, [])
    assert.deepEqual(
      rules.map(({ pattern, owners }) => [pattern, ...owners]),
      [['*.tsx', '@acme/web'], ['/src/cart/', '@ada'], ['*.md', '@acme/docs'], ['*.txt']],
    )
  })

  it('what is not supported is refused in words', () => {
    const { rules, problems } = parseCodeowners(
      '!secret @a\n@@@Group @a\nCODEOWNERS.toplevel.x true\n*.c random(1) @a\n',
    )
    assert.deepEqual(rules, [])
    assert.deepEqual(
      problems.map(({ line }) => line),
      [1, 2, 3, 4],
    )
  })

  it('patterns are those of .gitignore', () => {
    assert.deepEqual(codeownersGlobs('*'), ['**/*'])
    assert.deepEqual(codeownersGlobs('*.js'), ['**/*.js'])
    assert.deepEqual(codeownersGlobs('/build/logs/'), ['build/logs/**'])
    assert.deepEqual(codeownersGlobs('docs/*'), ['docs/*'])
    assert.deepEqual(codeownersGlobs('apps/'), ['**/apps/**'])
    assert.deepEqual(codeownersGlobs('/docs/'), ['docs/**'])
    assert.deepEqual(codeownersGlobs('/apps/github'), ['apps/github', 'apps/github/**'])
    assert.deepEqual(codeownersGlobs('**/logs'), ['**/logs', '**/logs/**'])
    assert.deepEqual(codeownersGlobs('/'), ['**'])
  })
})
