/** Sonde as on several machines: two starts of each role on shared servers, behind a load balancer. */
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../free-ports.ts'
import { backPidOf, ended } from '../processes.ts'
import {
  type Installation,
  type RunningSonde,
  startSonde,
  temporaryDataDir,
  WITHOUT_SPIKE_LIMITS,
} from '../start-sonde.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type ClusterServers, startClusterServers } from './cluster-servers.ts'
import { startNginx } from './nginx.ts'

/** As in `deploy/compose.cluster.yaml`. */
export const MEMBER_ROLES = { ingest: 'ingest', pipeline: 'pipeline,alerts,maintain', web: 'web' } as const
export type MemberKind = keyof typeof MEMBER_ROLES
const KINDS = Object.keys(MEMBER_ROLES) as MemberKind[]

export type Victim = 'front' | 'back' | 'both'

export type ClusterMember = {
  /** `web-1` and so on. */
  readonly name: string
  readonly kind: MemberKind
  readonly url: string
  readonly running: () => RunningSonde
  /** What its first start printed. */
  readonly firstOutput: () => string
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** `kill -9` of one of its processes, or of both, as when the machine fails. Ingest has no back. */
  kill(victim?: Victim): Promise<void>
  /** On the same port, in the same folder; resolves when it is up. */
  start(): Promise<void>
  /** Its folder, once it ended. */
  remove(): void
  /** Resolves when `/readyz` answers 200, and with it the load balancer may send. */
  ready(): Promise<void>
}

export type RunningCluster = Installation & {
  readonly members: { readonly [kind in MemberKind]: readonly ClusterMember[] }
  readonly all: readonly ClusterMember[]
  readonly servers: ClusterServers
  readonly balancer: Balancer
  /** Everything: members, load balancer and servers. */
  stop(): Promise<void>
}

export type ClusterOptions = {
  /** For every member; more than what names the servers. */
  readonly env?: NodeJS.ProcessEnv
  /** How many of each kind. Two unless it says otherwise. */
  readonly count?: { readonly [kind in MemberKind]?: number }
  /** Servers that run already; they are not stopped with the cluster. */
  readonly servers?: ClusterServers
}

const READY_WITHIN_MS = 30_000

/** All members start at the same time, on empty servers. */
export async function startCluster(options: ClusterOptions = {}): Promise<RunningCluster> {
  const servers = options.servers ?? (await startClusterServers())
  const ports = {
    ingest: await freePorts(options.count?.ingest ?? 2),
    pipeline: await freePorts(options.count?.pipeline ?? 2),
    web: await freePorts(options.count?.web ?? 2),
  }
  const upstreams = { ingest: ports.ingest.map(urlOf), web: ports.web.map(urlOf) }
  const nginx = process.env['SONDE_TEST_NGINX']
  const balancer = await (nginx === undefined ? startBalancer(upstreams) : startNginx(nginx, upstreams))
  const operator = temporaryDataDir()
  const env = {
    ...servers.env,
    ...WITHOUT_SPIKE_LIMITS,
    SONDE_PUBLIC_URL: balancer.url,
    SONDE_TRUST_PROXY: '1',
    // The load balancer asks several times a second.
    SONDE_DRAIN_SECONDS: '1',
    ...options.env,
  }
  const membersOf = (kind: MemberKind): ClusterMember[] =>
    ports[kind].map((port, at) => createMember(kind, at + 1, port, env))
  const members = { ingest: membersOf('ingest'), pipeline: membersOf('pipeline'), web: membersOf('web') }
  const all = KINDS.flatMap((kind) => members[kind])
  const stop = async (): Promise<void> => {
    await Promise.all(all.map((member) => member.kill()))
    for (const member of all) member.remove()
    await balancer.stop()
    if (!options.servers) await servers.stop()
    operator.remove()
  }
  try {
    await Promise.all(all.map((member) => member.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: balancer.url,
    port: balancer.port,
    dataDir: operator.dir,
    env,
    log: () => all.map((member) => `${member.name}:\n${member.running().log()}`).join('\n'),
    members,
    all,
    servers,
    balancer,
    stop,
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`

function createMember(
  kind: MemberKind,
  number: number,
  port: number,
  shared: NodeJS.ProcessEnv,
): ClusterMember {
  const data = temporaryDataDir()
  const env = { ...shared, SONDE_ROLES: MEMBER_ROLES[kind] }
  const name = `${kind}-${number}`
  let running: RunningSonde | undefined
  let first: RunningSonde | undefined
  const current = (): RunningSonde => {
    if (!running) throw new Error(`${name} was not started yet`)
    return running
  }
  return {
    name,
    kind,
    url: urlOf(port),
    running: current,
    firstOutput: () => first?.output() ?? '',
    async start() {
      running = await startSonde({ dataDir: data.dir, env, port })
      first ??= running
    },
    async ready() {
      const endMs = Date.now() + READY_WITHIN_MS
      for (let last = ''; ; await sleep(20)) {
        const answer = await fetch(`${urlOf(port)}/readyz`).catch(() => undefined)
        if (answer?.status === 200) return
        last = (await answer?.text()) ?? 'no answer'
        if (Date.now() > endMs) throw new Error(`${name} is not ready: ${last}\n${current().log()}`)
      }
    },
    remove: data.remove,
    stop: () => current().stop(),
    async kill(victim = 'both') {
      if (!running) return
      const backPid = backPidOf(running.child.pid ?? 0)
      if (backPid !== undefined && victim !== 'front') process.kill(backPid, 'SIGKILL')
      if (victim !== 'back') await running.kill()
      // A back without its front ends by itself.
      if (backPid !== undefined) await ended(backPid)
    },
  }
}
