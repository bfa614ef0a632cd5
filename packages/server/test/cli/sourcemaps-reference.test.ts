import assert from 'node:assert/strict'
import { test } from 'node:test'
import { optionText, SOURCEMAPS_COMMANDS } from '../../src/cli/sourcemaps/reference.ts'

test('every option of every command is said in the reference, and stands in its usage', () => {
  for (const { words, options, usage } of SOURCEMAPS_COMMANDS)
    for (const [name, option] of Object.entries(options)) {
      assert.ok(optionText(name, option), `${words.join(' ')} --${name}`)
      assert.ok(usage.includes(`--${name}`), `${words.join(' ')}: ${usage} has no --${name}`)
    }
})
