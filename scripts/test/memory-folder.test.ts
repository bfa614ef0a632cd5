import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { makeMemoryFolder } from './memory-folder.mjs'

/** A mount that the system is said to have; its room is that of the folder itself. */
function machine(
  t: TestContext,
  { type = 'tmpfs', options = 'rw,nosuid,nodev', availableKb = 4 * 1024 } = {},
) {
  const mount = mkdtempSync(join(tmpdir(), 'sonde-mount-'))
  t.after(() => rmSync(mount, { recursive: true, force: true }))
  const mounts = join(mount, 'mounts')
  const meminfo = join(mount, 'meminfo')
  writeFileSync(mounts, `/dev/vda / ext4 rw 0 0\ntmpfs ${mount} ${type} ${options} 0 0\n`)
  writeFileSync(meminfo, `MemTotal:       24684084 kB\nMemAvailable:   ${availableKb} kB\n`)
  return { mount, mounts, meminfo, neededBytes: 1024 ** 2 }
}

test('a folder is made where files stay in memory and there is room', (t) => {
  const of = machine(t)
  const folder = makeMemoryFolder(of)
  assert.equal(dirname(folder ?? ''), of.mount)
  assert.ok(statSync(folder ?? '').isDirectory())
})

test('none is made on a disk, where nothing may be started, with little room, or on another system', (t) => {
  assert.equal(makeMemoryFolder(machine(t, { type: 'ext4' })), undefined)
  assert.equal(makeMemoryFolder(machine(t, { options: 'rw,noexec' })), undefined)
  assert.equal(makeMemoryFolder(machine(t, { options: 'ro' })), undefined)
  assert.equal(makeMemoryFolder(machine(t, { availableKb: 2 * 1024 })), undefined)
  assert.equal(makeMemoryFolder({ ...machine(t), neededBytes: 2 ** 60 }), undefined)
  assert.equal(makeMemoryFolder({ ...machine(t), mounts: '/nowhere' }), undefined)
  assert.equal(makeMemoryFolder({ ...machine(t), mount: '/nowhere' }), undefined)
})
