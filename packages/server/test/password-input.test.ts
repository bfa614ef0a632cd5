import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createAccess } from '@sonde/access'
import { silentLogger, systemClock } from '@sonde/base'
import { openRecords } from '@sonde/stores'

const SONDE = join(import.meta.dirname, '..', 'src', 'sonde.ts')

describe('a password for the command line', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-password-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))
  const sonde = (args: readonly string[], input = '') =>
    spawnSync(process.execPath, ['--conditions=@sonde/source', SONDE, ...args], {
      input,
      encoding: 'utf8',
      env: { ...process.env, SONDE_DATA_DIR: dataDir, SONDE_LOG_LEVEL: 'warn' },
    })
  const setPassword = (input: string, ...options: readonly string[]) =>
    sonde(['user', 'set-password', '--email', 'ada@acme.test', ...options], input)
  const signsIn = async (password: string): Promise<boolean> => {
    const { db, close } = await openRecords(
      { file: join(dataDir, 'records.sqlite') },
      { logger: silentLogger },
    )
    const access = createAccess({
      records: db,
      secret: 'x'.repeat(40),
      publicUrl: 'http://sonde.test',
      clock: systemClock,
      logger: silentLogger,
    })
    const result = await access.signIn({ email: 'ada@acme.test', password, headers: new Headers() })
    await close()
    return result.ok
  }
  before(() => {
    assert.equal(sonde(['project', 'create', 'acme/shop']).status, 0)
    const create = ['user', 'create', '--email', 'ada@acme.test', '--org', 'acme', '--password-stdin']
    const { status, stdout, stderr } = sonde(create, 'correct horse\n')
    assert.deepEqual([status, stdout, stderr], [0, 'ada@acme.test was added to acme\n', ''])
  })

  it('is the first line of standard input, with its spaces', async () => {
    assert.equal(await signsIn('correct horse'), true)
    for (const [typed, password] of [
      [' battery staple \r\nnot this', ' battery staple '],
      ['without an end of line', 'without an end of line'],
    ] as const) {
      assert.equal(setPassword(typed, '--password-stdin').status, 0)
      assert.equal(await signsIn(password), true, JSON.stringify(typed))
    }
  })

  it('that is missing, endless or given twice changes nothing', async () => {
    for (const [input, ...options] of [
      ['', '--password-stdin'],
      ['\n', '--password-stdin'],
      ['x'.repeat(100_000), '--password-stdin'],
      ['typed too', '--password-stdin', '--password', 'given already'],
    ] as const) {
      const { status, stderr } = setPassword(input, ...options)
      assert.equal(status, 2, stderr)
      assert.match(stderr, /--password-stdin/)
    }
    assert.equal(await signsIn('without an end of line'), true)
  })

  it('in the arguments is taken, with a word about who can read it', async () => {
    const { status, stdout, stderr } = setPassword('', '--password', 'for all to see')
    assert.equal(status, 0)
    assert.match(stderr, /list of processes; use --password-stdin/)
    assert.doesNotMatch(stdout + stderr, /for all to see/)
    assert.equal(await signsIn('for all to see'), true)
  })
})
