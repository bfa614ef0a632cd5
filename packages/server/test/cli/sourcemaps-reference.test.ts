import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPTION_TEXTS, SOURCEMAPS_COMMANDS } from '../../src/cli/sourcemaps/reference.ts'

test('every option of every command is said in the reference, and stands in its usage', () => {
  for (const { words, options, usage } of SOURCEMAPS_COMMANDS)
    for (const name of Object.keys(options)) {
      assert.ok(OPTION_TEXTS[name], `${words.join(' ')} --${name}`)
      assert.ok(usage.includes(`--${name}`), `${words.join(' ')}: ${usage} has no --${name}`)
    }
})
