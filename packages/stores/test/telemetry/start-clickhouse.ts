/** A real ClickHouse server for tests: the one of `SONDE_TEST_CLICKHOUSE_URL` (its URL), else one of our own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type TestServer = { readonly url: string; readonly stop: () => Promise<void> }

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const libraryFile = (): string | undefined => globSync(join(ROOT, 'node_modules/@chdb/*/libchdb.so'))[0]

/** Why there can be no server here; undefined: there can. */
export function whyNoClickHouse(): string | undefined {
  if (process.env['SONDE_TEST_CLICKHOUSE_URL']) return undefined
  if (libraryFile() === undefined) return 'the library of chdb is not installed: npm ci'
  const python = spawnSync('python3', ['-c', 'import ctypes'])
  return python.status === 0
    ? undefined
    : 'needs python3 to start a ClickHouse server, or SONDE_TEST_CLICKHOUSE_URL=http://… of an empty one'
}

export async function startClickHouse(): Promise<TestServer> {
  const given = process.env['SONDE_TEST_CLICKHOUSE_URL']
  if (given) return { url: given, stop: async () => undefined }
  const port = await freePort()
  const script = join(import.meta.dirname, 'clickhouse-server.py')
  const dir = await mkdtemp(join(tmpdir(), 'sonde-clickhouse-'))
  const args = [script, libraryFile() ?? '', dir, String(port)]
  const child = spawn('python3', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = async () => {
    await end(child)
    await rm(dir, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}/default`
  try {
    await answers(child, port)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

async function answers(child: ChildProcess, port: number): Promise<void> {
  const untilMs = Date.now() + 60_000
  while (Date.now() < untilMs && child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/ping`).catch(() => undefined)
    if (response?.ok) return
    await sleep(50)
  }
  throw new Error('the ClickHouse server does not answer')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
