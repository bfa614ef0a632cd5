import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENT_COMMANDS } from '../src/commands.ts'

const SERVER = ['url', 'org', 'token', 'project', 'email']

test('every option says what it means, and those of one command alone stand in its usage', () => {
  for (const { words, options, usage } of CLIENT_COMMANDS)
    for (const [name, { about }] of Object.entries(options)) {
      assert.ok(about, `${words.join(' ')} --${name}`)
      if (!SERVER.includes(name)) assert.ok(usage.includes(`--${name}`), `${words.join(' ')} --${name}`)
    }
})

test('every command loads, and has JSON with a shape that is written down', async () => {
  for (const { words, options, json, load } of CLIENT_COMMANDS) {
    assert.equal(typeof (await load()), 'function')
    assert.equal('json' in options, json !== undefined, words.join(' '))
  }
})
