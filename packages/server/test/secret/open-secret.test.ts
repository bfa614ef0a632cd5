import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { secretCheck } from '@sonde/access'
import { silentLogger, SondeError } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { openSecret } from '../../src/secret/open-secret.ts'
import { nextSecretFile } from '../../src/secret/secret-file.ts'

const KEY = 'k'.repeat(43)

async function harness(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-secret-'))
  const file = join(dir, 'secret.key')
  const opened = await openRecords({ file: join(dir, 'records.sqlite') }, { logger: silentLogger })
  t.after(async () => {
    await opened.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return { dir, file, opened, start: () => openSecret(opened, file, silentLogger) }
}

/** What an installation looked like whose key lay in the records. */
async function withOldKey({ opened }: Awaited<ReturnType<typeof harness>>): Promise<void> {
  const put = (name: string, value: string) =>
    opened.db.insertInto('setting').values({ name, value }).execute()
  await put('auth_secret', KEY)
  // Rows come and go around it, so that pages are split and copies of it stay behind.
  for (let at = 0; at < 300; at++) await put(`a${at}`, 'x'.repeat(200))
  await opened.db
    .deleteFrom('setting')
    .where('name', 'like', 'a_%')
    .where('name', '<>', 'auth_secret')
    .execute()
}

const refusedWith = (why: RegExp, hint: RegExp) => (error: unknown) =>
  error instanceof SondeError &&
  error.kind === 'config' &&
  why.test(error.message) &&
  hint.test(error.hint ?? '')

const bytesOf = (dir: string): string =>
  readdirSync(dir)
    .filter((name) => name.startsWith('records.sqlite'))
    .map((name) => readFileSync(join(dir, name), 'latin1'))
    .join('')

test('the first start makes a key that only this user reads, and every later one takes it', async (t) => {
  const { dir, file, start } = await harness(t)
  const secret = await start()
  assert.ok(secret.length >= 43)
  assert.equal(readFileSync(file, 'utf8').trim(), secret)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(await start(), secret)
  assert.ok(!bytesOf(dir).includes(secret))
})

test('processes that start at once make one key', async (t) => {
  const { dir, file } = await harness(t)
  const child = join(import.meta.dirname, 'open-secret-child.ts')
  const ask = async (): Promise<string> =>
    (await promisify(execFile)(process.execPath, ['--conditions=@sonde/source', child, dir])).stdout
  const secrets = await Promise.all(Array.from({ length: 4 }, ask))
  assert.deepEqual([...new Set(secrets)], [readFileSync(file, 'utf8').trim()])
})

test('the key of an older installation moves into the file, and no copy of it stays in the records', async (t) => {
  const old = await harness(t)
  await withOldKey(old)
  assert.ok(bytesOf(old.dir).includes(KEY))
  assert.equal(await old.start(), KEY)
  assert.equal(readFileSync(old.file, 'utf8').trim(), KEY)
  assert.ok(!bytesOf(old.dir).includes(KEY))
  assert.equal(await old.start(), KEY)
})

test('a move that was cut off after the file was written is ended by the next start', async (t) => {
  const old = await harness(t)
  await withOldKey(old)
  writeFileSync(old.file, KEY, { mode: 0o600 })
  assert.equal(await old.start(), KEY)
  assert.ok(!bytesOf(old.dir).includes(KEY))
})

test('another key in the file than in the records of an older version is refused, and nothing is lost', async (t) => {
  const old = await harness(t)
  await withOldKey(old)
  writeFileSync(old.file, 'o'.repeat(43), { mode: 0o600 })
  await assert.rejects(old.start(), refusedWith(/hold another/, /move this file away/))
  rmSync(old.file)
  assert.equal(await old.start(), KEY)
})

test('a file that others can read, a short one and a missing one are refused, each with what to do', async (t) => {
  const { file, start } = await harness(t)
  const secret = await start()
  for (const mode of [0o644, 0o640, 0o604, 0o660, 0o602]) {
    chmodSync(file, mode)
    await assert.rejects(start(), refusedWith(/other users/, /chmod 600/), mode.toString(8))
  }
  chmodSync(file, 0o600)
  writeFileSync(file, 'short')
  await assert.rejects(start(), refusedWith(/5 characters/, /restore/))
  writeFileSync(file, 'z'.repeat(43))
  await assert.rejects(start(), refusedWith(/not the one/, /secret rotate --lost/))
  rmSync(file)
  await assert.rejects(start(), refusedWith(/missing/, /restore it from a backup/))
  assert.ok(!existsSync(file), 'no new key is made where data was written with an old one')
  writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  assert.equal(await start(), secret)
})

test('a rotation that was cut off ends with the key that the records were written with', async (t) => {
  const { file, start, opened } = await harness(t)
  const before = await start()
  writeFileSync(nextSecretFile(file), 'n'.repeat(43), { mode: 0o600 })
  assert.equal(await start(), before)
  assert.ok(!existsSync(nextSecretFile(file)))
  writeFileSync(nextSecretFile(file), 'n'.repeat(43), { mode: 0o600 })
  await opened.db
    .updateTable('setting')
    .set({ value: secretCheck('n'.repeat(43)) })
    .where('name', '=', 'auth_secret_check')
    .execute()
  assert.equal(await start(), 'n'.repeat(43))
  assert.ok(!existsSync(nextSecretFile(file)))
})
