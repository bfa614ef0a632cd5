import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Command, findCommand, helpText, readInput, UsageError } from '../src/arguments.ts'

const create: Command = {
  words: ['project', 'create'],
  usage: 'ORG/PROJECT [--platform NAME] [--json]',
  help: 'makes a project',
  options: { platform: { type: 'string' }, json: { type: 'boolean' } },
  positionals: { min: 1, max: 1 },
  load: () => Promise.resolve(() => Promise.resolve(0)),
}

test('a command is found by its words and gets what follows them', () => {
  const found = findCommand([create], ['project', 'create', 'acme/shop', '--platform', 'go', '--json'])
  assert.ok(found)
  const input = readInput(found.command, found.rest)
  assert.deepEqual(
    [input.positionals[0], input.need('platform'), input.flag('json')],
    ['acme/shop', 'go', true],
  )
})

test('unknown words find nothing', () => {
  assert.equal(findCommand([create], ['project', 'burn']), undefined)
  const renamed = { ...create, formerWords: ['project', 'make'] }
  assert.deepEqual(findCommand([renamed], ['project', 'make', 'a/b'])?.rest, ['a/b'])
  assert.doesNotMatch(helpText([renamed], ''), /project make/)
})

for (const [rest, says] of [
  [[], /ORG\/PROJECT/],
  [['a/b', 'c/d'], /ORG\/PROJECT/],
  [['a/b', '--colour', 'red'], /colour/],
  [['a/b', '--platform'], /platform/],
] as const) {
  test(`wrong arguments (${rest.join(' ') || 'none'}) are answered with the usage`, () => {
    assert.throws(
      () => readInput(create, [...rest]),
      (error) => error instanceof UsageError && says.test(error.message),
    )
  })
}

test('a missing option is named', () => {
  assert.throws(() => readInput(create, ['a/b']).need('platform'), /--platform is missing/)
})

test('the help lists every command with its usage', () => {
  assert.match(helpText([create], ''), /sonde project create ORG\/PROJECT .*makes a project/)
})
