/** Backups in a bucket of a real S3 server, encrypted for a key that the machine that makes them does not have. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createProject } from '../harness/api-client.ts'
import { type S3Server, startS3 } from '../harness/servers/s3.ts'
import { type RunningSonde, sonde, sondeJson, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { uploadBuild } from '../harness/upload-build.ts'

let server: S3Server
before(async () => {
  server = await startS3()
})
after(() => server.stop())

const NOISE_BYTES = 500_000

type Created = { readonly id: string; readonly newBytes: number; readonly to: string }

void test('a backup to a bucket is incremental without the secret key, restored with it, and pruned', async () => {
  const bucket = server.makeBucket('nightly')
  const place = temporaryDataDir()
  const [secret, open] = [join(place.dir, 'secret'), join(place.dir, 'open')]
  const env = {
    SONDE_BACKUP_TO: bucket.place.url,
    SONDE_BACKUP_ACCESS_KEY: server.keys.accessKey,
    SONDE_BACKUP_SECRET_KEY: server.keys.secretKey,
  }
  const running = await startSonde({ env: { SONDE_LOG_LEVEL: 'error', ...env } })
  try {
    createProject(running, 'acme/shop')
    await uploadNoise(running, join(place.dir, 'build'))
    const { recipient } = sondeJson<{ recipient: string }>(running.dataDir, [
      'backup',
      'key',
      '--out',
      secret,
    ])
    writeFileSync(open, `${recipient}\n`)
    const makes = { ...env, SONDE_BACKUP_KEY_FILE: open }
    const first = sondeJson<Created>(running.dataDir, ['backup', 'create'], makes)
    assert.ok(!first.to.includes(server.keys.secretKey))
    const second = sondeJson<Created>(running.dataDir, ['backup', 'create'], makes)
    assert.ok(first.newBytes > NOISE_BYTES)
    assert.ok(second.newBytes < NOISE_BYTES, `${second.newBytes} of ${first.newBytes} bytes written again`)
    const objects = filesIn(bucket.dir)
    assert.ok(objects.some((name) => name.includes('nightly/backups/')))

    const blind = sonde(join(place.dir, 'blind'), ['restore'], makes)
    assert.equal(blind.code, 1)
    assert.match(blind.stderr, /this key does not open the backup/)
    const restored = sondeJson<Created>(join(place.dir, 'data'), ['restore', first.id], {
      ...env,
      SONDE_BACKUP_KEY_FILE: secret,
    })
    assert.equal(restored.id, first.id)
    const pruned = sondeJson<{ removed: string[]; pieces: number }>(
      running.dataDir,
      ['backup', 'prune', '--delete', first.id],
      env,
    )
    assert.deepEqual(pruned.removed, [first.id])
    assert.ok(pruned.pieces > 0)
    const quick = sonde(running.dataDir, ['backup', 'verify', '--quick'], env)
    assert.equal(quick.code, 0, quick.stdout + quick.stderr)
    // The key may lie for others to read nowhere, and a bucket needs its keys.
    const without = sonde(running.dataDir, ['backup', 'list'], { SONDE_BACKUP_TO: bucket.place.url })
    assert.equal(without.code, 2)
    assert.match(without.stderr, /SONDE_BACKUP_ACCESS_KEY/)
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    rmSync(running.dataDir, { recursive: true, force: true })
    place.remove()
  }
})

/** Much more than what a Sonde writes by itself between two backups, and nothing of it can be compressed away. */
async function uploadNoise({ dataDir, url }: RunningSonde, folder: string): Promise<void> {
  mkdirSync(folder)
  const noise = randomBytes(NOISE_BYTES).toString('base64')
  const map = { version: 3, sources: ['a.ts'], sourcesContent: [noise], names: [], mappings: 'AAAA' }
  writeFileSync(join(folder, 'a.js'), 'let a=1\n//# sourceMappingURL=a.js.map\n')
  writeFileSync(join(folder, 'a.js.map'), JSON.stringify(map))
  const { token } = sondeJson<{ token: string }>(dataDir, [
    'token',
    'create',
    '--scopes',
    'org:read,project:read,project:write,project:releases',
  ])
  await uploadBuild(folder, { url, token, project: 'acme/shop', release: '1.0.0' })
}

const filesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(dir, name)).isFile())
