/** A busy port is told before anything is installed or built. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { portProblem } from './port.mjs'

const HOST = '127.0.0.1'
const taken = createServer()
const root = mkdtempSync(join(tmpdir(), 'sonde-port-'))
let port = 0
before(async () => {
  taken.listen({ host: HOST, port: 0 })
  await once(taken, 'listening')
  port = (taken.address() as { port: number }).port
})
after(() => {
  taken.close()
  rmSync(root, { recursive: true })
})

test('a port that somebody listens on is named, with the way to another', async () => {
  const problem = await portProblem({ HOST, PORT: String(port) })
  assert.match(problem ?? '', new RegExp(`^Something listens on ${HOST}:${port} already`))
  assert.match(problem ?? '', new RegExp(`PORT=${port + 1} npm start$`))
})

test('a free port, any port and a port that is none are no problem, whatever the roles', async () => {
  const free = createServer()
  free.listen({ host: HOST, port: 0 })
  await once(free, 'listening')
  const { port: freePort } = free.address() as { port: number }
  free.close()
  await once(free, 'close')
  for (const PORT of [String(freePort), '0', 'x', '70000'])
    assert.equal(await portProblem({ HOST, PORT }), undefined, PORT)
  // Every start answers its probes there.
  for (const SONDE_ROLES of ['pipeline,maintain', 'web, ingest', 'all'])
    assert.match((await portProblem({ HOST, PORT: String(port), SONDE_ROLES })) ?? '', /already/, SONDE_ROLES)
})

test('npm start ends with it and installs nothing', async () => {
  cpSync(join(import.meta.dirname, '..'), join(root, 'scripts'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{}')
  const started = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    env: { ...process.env, HOST, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [told, errors] = ['', '']
  started.stdout.on('data', (text: Buffer) => (told += text.toString()))
  started.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  const [code] = (await once(started, 'close')) as [number]
  assert.deepEqual([code, told, existsSync(join(root, 'node_modules'))], [1, '', false])
  assert.match(errors, /^\nSomething listens on .* already.*Nothing was installed or built\.\n/)
})
