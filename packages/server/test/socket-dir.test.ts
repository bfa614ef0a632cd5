import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { dataPaths } from '../src/config/config.ts'
import { listenOnSocket } from '../src/front/listen.ts'
import { askBack } from '../src/internal/ask-back.ts'
import { openSocketDir, socketDir } from '../src/internal/socket-dir.ts'

function deepDataDir(): string {
  const dir = join(mkdtempSync(join(tmpdir(), 'sonde-deep-')), 'deep/'.repeat(30))
  mkdirSync(dir, { recursive: true })
  return dir
}

test('a data folder of a common path holds its own sockets', () => {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-data-'))
  openSocketDir(dir)
  assert.equal(dataPaths(dir).backSocket, join(dir, 'back.sock'))
})

test('the sockets of a deep one lie in a folder of this user alone, which nobody could foresee, and all find it', async (t) => {
  const dir = deepDataDir()
  openSocketDir(dir)
  const { backSocket, internalSocket } = dataPaths(dir)
  assert.ok(internalSocket.length <= 100)
  const made = lstatSync(socketDir(dir))
  assert.deepEqual([made.mode & 0o777, made.uid], [0o700, process.getuid?.()])
  assert.notEqual(socketDir(dir), socketDir(withSockets(deepDataDir())))
  openSocketDir(dir)
  assert.equal(dataPaths(dir).backSocket, backSocket, 'the next start uses the same')
  const listening = await listenOnSocket((_req, res) => res.end('here'), internalSocket)
  t.after(() => listening.stop(0))
  assert.equal(await askBack(dataPaths(dir).internalSocket, 'GET', '/'), 'here')
})

function withSockets(dir: string): string {
  openSocketDir(dir)
  return dir
}

test('a folder that others may write to, or that is only linked, is not used, and a start makes another', () => {
  const dir = withSockets(deepDataDir())
  const first = socketDir(dir)
  chmodSync(first, 0o777)
  assert.throws(() => socketDir(dir), { name: 'ConfigError' })
  openSocketDir(dir)
  const second = socketDir(dir)
  assert.notEqual(second, first)
  rmSync(second, { recursive: true })
  symlinkSync(mkdtempSync(join(tmpdir(), 'sonde-elsewhere-')), second)
  assert.throws(() => socketDir(dir), { name: 'ConfigError' })
  openSocketDir(dir)
  assert.notEqual(readlinkSync(join(dir, 'sockets')), second)
})

test('where nothing was ever started, nobody answers', async () => {
  assert.equal(await askBack(dataPaths(deepDataDir()).internalSocket, 'GET', '/'), undefined)
})
