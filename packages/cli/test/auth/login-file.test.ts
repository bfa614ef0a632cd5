import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { withFileLock } from '../../src/auth/file-lock.ts'
import { changeLogins, loginPath, readLogins, withLogin, withoutLogin } from '../../src/auth/login-file.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-login-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('the file lies in the configuration folder, and only its owner reads it', async (t) => {
  const dir = folder(t)
  const path = loginPath({ XDG_CONFIG_HOME: dir })
  assert.equal(path, join(dir, 'sonde', 'logins.json'))
  assert.equal(loginPath({ SONDE_CONFIG_DIR: '/x', XDG_CONFIG_HOME: dir }), join('/x', 'logins.json'))
  assert.deepEqual(readLogins(path), { servers: {} })
  const login = { kind: 'token', token: 'secret' } as const
  await changeLogins(path, (logins) => ({
    ...withLogin(logins, 'https://a.example', login),
    current: 'https://a.example',
  }))
  await changeLogins(path, (logins) => withLogin(logins, 'https://b.example', login))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(dir, 'sonde')).mode & 0o777, 0o700)
  const changed = await changeLogins(path, (logins) => withoutLogin(logins, 'https://a.example'))
  assert.deepEqual(changed, { current: 'https://b.example', servers: { 'https://b.example': login } })
  assert.equal(existsSync(`${path}.lock`), false)
})

test('a file that is broken is said, not overwritten', async (t) => {
  const path = join(folder(t), 'logins.json')
  writeFileSync(path, '{"servers":')
  assert.throws(() => readLogins(path), /cannot be read.*JSON/)
  await assert.rejects(changeLogins(path, (logins) => logins))
  assert.equal(readFileSync(path, 'utf8'), '{"servers":')
})

test('of several processes one at a time changes it: no change is lost', async (t) => {
  const path = join(folder(t), 'logins.json')
  const script = `
    import { changeLogins } from ${JSON.stringify(join(import.meta.dirname, '../../src/auth/login-file.ts'))}
    for (let n = 0; n < 10; n++)
      await changeLogins(${JSON.stringify(path)}, async ({ current = '0', servers }) => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        return { current: String(Number(current) + 1), servers }
      })`
  const flags = ['--conditions=@sonde/source', '--input-type=module', '-e', script]
  const codes = await Promise.all(
    Array.from({ length: 3 }, () => {
      const child = spawn(process.execPath, flags, { stdio: 'inherit', cwd: import.meta.dirname })
      return new Promise((resolve) => child.once('exit', resolve))
    }),
  )
  assert.deepEqual(codes, [0, 0, 0])
  assert.equal(readLogins(path).current, '30')
})

test('what a process that died left locked is taken over, what lives is waited for', async (t) => {
  const path = join(folder(t), 'lock')
  writeFileSync(path, '1')
  await assert.rejects(
    withFileLock(path, () => Promise.resolve(1), { waitMs: 120 }),
    /held by another process/,
  )
  const past = new Date(Date.now() - 61_000)
  utimesSync(path, past, past)
  assert.equal(await withFileLock(path, () => Promise.resolve(1), { waitMs: 120 }), 1)
  assert.equal(existsSync(path), false)
})
