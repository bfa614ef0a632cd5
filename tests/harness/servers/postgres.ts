/**
 * A real PostgreSQL for tests, on a free port of this machine, with its data in a folder that goes with it. It is Debian's
 * package, installed where it is missing and this user may; `SONDE_TEST_POSTGRES_BIN` names another one's programs.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-ports.ts'

export type PostgresServer = {
  /** Of the database `postgres`, as its superuser. */
  readonly url: string
  readonly port: number
  /** Major. */
  readonly version: number
  /** Whoever is connected loses the connection; what was committed is kept. */
  stop(): Promise<void>
  /** On the same port, with the same data. */
  start(): Promise<void>
}

const INSTALLED = '/usr/lib/postgresql'
const SUPERUSER = 'sonde'

// Nothing of it is kept, so nothing needs to reach a disk.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  shared_buffers: '32MB',
  max_connections: '200',
} as const

export async function startPostgres(): Promise<PostgresServer> {
  const bin = programs()
  const version = Number(/\d+/.exec(run(join(bin, 'postgres'), ['--version']))?.[0])
  const dir = mkdtempSync(join(folderForAll(), 'sonde-postgres-'))
  const user = serverUser()
  if (user) chownSync(dir, user.uid, user.gid)
  const env = { ...process.env, LC_ALL: 'C' }
  const as = { ...user, env, cwd: dir }
  run(join(bin, 'initdb'), ['-D', dir, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--no-sync'], as)
  const port = await freePort()
  const options = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined
  process.once('exit', () => {
    child?.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
  const server: PostgresServer = {
    url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`,
    port,
    version,
    async start() {
      child = spawn(join(bin, 'postgres'), ['-D', dir, ...options], {
        ...as,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await ready(child)
    },
    async stop() {
      if (!child || child.exitCode !== null) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    },
  }
  await server.start()
  return server
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-10_000)
      if (log.includes('ready to accept connections')) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}\n${log}`)))
  })
}

/** The newest that is there. */
function programs(): string {
  const named = process.env['SONDE_TEST_POSTGRES_BIN']
  if (named !== undefined) return named
  const found = newest() ?? install()
  if (found === undefined)
    throw new Error(
      'no PostgreSQL server was found: install the package `postgresql`, or name its programs in SONDE_TEST_POSTGRES_BIN',
    )
  return found
}

function newest(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : []
  const [last] = versions
    .filter((version) => existsSync(join(INSTALLED, version, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a))
  return last && join(INSTALLED, last, 'bin')
}

/** Without the cluster that the package would make. */
function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const config = '/etc/postgresql-common/createcluster.d'
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'sonde-tests.conf'), 'create_main_cluster = false\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => run('apt-get', ['-qq', ...args], { env })
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'postgresql')
  return newest()
}

/** The server refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

/** The folder of the tests is their user's alone. */
function folderForAll(): string {
  if (process.getuid?.() !== 0) return tmpdir()
  return existsSync('/dev/shm') ? '/dev/shm' : '/tmp'
}

function run(command: string, args: readonly string[], options: object = {}): string {
  const done = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (done.status === 0) return done.stdout
  throw new Error(`${command} ${args.join(' ')} failed: ${done.error?.message ?? done.stderr}`)
}
