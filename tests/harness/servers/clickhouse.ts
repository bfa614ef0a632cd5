/**
 * Real ClickHouse servers for tests: one, or several as the shards of a cluster, out of the library that chDB brings. They
 * speak HTTP and the native protocol. What needs ClickHouse Keeper is not in them: replication and `ON CLUSTER`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TelemetryPlace } from '@sonde/stores'
import { freePorts } from '../free-ports.ts'

export const TEST_CLUSTER = 'test-cluster'
/** May read and nothing else. */
export const READER = { name: 'reader', password: 'right-password' } as const

export type TestShard = {
  readonly url: string
  /** As the others of the cluster call it, and so as errors name it. */
  readonly node: string
  /** Everything that it has on the disk. */
  readonly dir: string
  readonly process: () => ChildProcess | undefined
  /** At once, as when the machine fails; the data stay. */
  stop(): Promise<void>
  start(): Promise<void>
}
export type TestServers = {
  /** Of the first shard. */
  readonly url: string
  readonly shards: readonly TestShard[]
  /** A new database on every shard, as `openTelemetry` takes it. */
  place(
    database: string,
    options?: { readonly isCluster?: boolean },
  ): Promise<TelemetryPlace & { url: string }>
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
const LONGEST_SECONDS = 900
const libraryFile = (): string | undefined => globSync(join(ROOT, 'node_modules/@chdb/*/libchdb.so'))[0]

/** Why there can be no server here; undefined: there can. */
export function whyNoClickHouse(): string | undefined {
  if (libraryFile() === undefined) return 'the library of chdb is not installed: npm ci'
  const python = spawnSync('python3', ['-c', 'import ctypes'])
  return python.status === 0 ? undefined : 'needs python3 to start a ClickHouse server'
}

export async function startClickHouse({ shards: count = 1 } = {}): Promise<TestServers> {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-clickhouse-'))
  const ports = await freePorts(count * 2)
  const nodes = Array.from({ length: count }, (_, at) => ({
    http: ports[at * 2] as number,
    tcp: ports[at * 2 + 1] as number,
  }))
  const shards = nodes.map((node, at) => createShard(join(dir, `shard-${at + 1}`), node, at, nodes))
  const removeAtExit = (): void => {
    for (const shard of shards) shard.process()?.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  process.once('exit', removeAtExit)
  const stop = async (): Promise<void> => {
    await Promise.all(shards.map((shard) => shard.stop()))
    await rm(dir, { recursive: true, force: true })
    process.off('exit', removeAtExit)
  }
  try {
    await Promise.all(shards.map((shard) => shard.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: shards[0]?.url ?? '',
    shards,
    stop,
    async place(database, { isCluster = count > 1 } = {}) {
      for (const shard of shards) await send(shard.url, `CREATE DATABASE ${database} ENGINE = Atomic`)
      const urls = shards.map((shard) => new URL(`/${database}`, shard.url).href)
      const url = urls[0] ?? ''
      return isCluster ? { url, cluster: TEST_CLUSTER, shardUrls: urls } : { url }
    },
  }
}

async function send(url: string, statement: string): Promise<void> {
  const response = await fetch(new URL('/', url), { method: 'POST', body: statement })
  if (!response.ok) throw new Error(await response.text())
}

type Ports = { readonly http: number; readonly tcp: number }

function createShard(dir: string, { http, tcp }: Ports, at: number, nodes: readonly Ports[]): TestShard {
  let child: ChildProcess | undefined
  const stop = async (): Promise<void> => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    child = undefined
  }
  return {
    url: `http://127.0.0.1:${http}/default`,
    node: `127.0.0.1:${tcp}`,
    dir,
    process: () => child,
    stop,
    async start() {
      await mkdir(dir, { recursive: true })
      await writeFile(join(dir, 'users.xml'), USERS)
      const config = join(dir, 'config.xml')
      await writeFile(config, configuration(dir, { http, tcp }, at, nodes))
      const script = join(import.meta.dirname, 'clickhouse-server.py')
      const args = [script, libraryFile() ?? '', config, String(LONGEST_SECONDS)]
      child = spawn('python3', args, { stdio: ['ignore', 'ignore', 'inherit'] })
      child.unref()
      await answers(child, http)
    },
  }
}

const configuration = (dir: string, { http, tcp }: Ports, at: number, nodes: readonly Ports[]): string => {
  const shards = nodes.map(
    (node) =>
      `<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>${node.tcp}</port></replica></shard>`,
  )
  return `<clickhouse>
  <listen_host>127.0.0.1</listen_host><http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>
  <path>${dir}/data/</path><users_config>${dir}/users.xml</users_config>
  <storage_configuration><disks><backups><type>local</type><path>${dir}/backups/</path></backups></disks></storage_configuration>
  <backups><allowed_disk>backups</allowed_disk></backups>
  <macros><shard>${at + 1}</shard><replica>1</replica></macros>
  <remote_servers><${TEST_CLUSTER}>${shards.join('')}</${TEST_CLUSTER}></remote_servers>
</clickhouse>`
}

const user = (name: string, password: string, more = ''): string =>
  `<${name}><password>${password}</password><networks><ip>127.0.0.1</ip></networks>
  <profile>default</profile><quota>default</quota>${more}</${name}>`
const USERS = `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>
  ${user('default', '')}
  ${user(READER.name, READER.password, '<grants><query>GRANT SELECT ON *.*</query></grants>')}
</users></clickhouse>`

async function answers(child: ChildProcess, port: number): Promise<void> {
  const untilMs = Date.now() + 60_000
  while (Date.now() < untilMs && child.exitCode === null && child.signalCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/ping`).catch(() => undefined)
    if (response?.ok) return
    await sleep(50)
  }
  throw new Error('the ClickHouse server does not answer')
}
