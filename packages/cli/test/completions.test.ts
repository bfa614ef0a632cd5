import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const sonde = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--conditions=@sonde/source', MAIN, ...args], { encoding: 'utf8' })

/** What the shell is offered. */
const offered = (...words: readonly string[]): string[] =>
  sonde('complete', '--', ...words)
    .stdout.split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => line.split('\t', 1)[0] ?? '')

test('words, options and their values are completed from the table of commands', () => {
  assert.deepEqual(offered('iss'), ['issues'])
  assert.deepEqual(offered('issues', 're').toSorted(), ['reopen', 'resolve'])
  assert.deepEqual(offered('issues', 'list', '--so'), ['--sort'])
  assert.ok(offered('issues', 'list', '--sort', '').includes('freq'))
  assert.deepEqual(offered('tail', '').toSorted(), ['errors', 'logs'])
})

test('the script for bash is one that bash takes, and an unknown shell is said', () => {
  const { stdout, status } = sonde('completions', 'bash')
  assert.equal(status, 0)
  assert.equal(spawnSync('bash', ['-n'], { input: stdout, encoding: 'utf8' }).status, 0)
  for (const shell of ['zsh', 'fish']) assert.match(sonde('completions', shell).stdout, /sonde complete/)
  const wrong = sonde('completions', 'tcsh')
  assert.equal(wrong.status, 2)
  assert.match(wrong.stderr, /bash\|zsh\|fish/)
})
