/**
 * Bugsink as its `singleserver` template sets it up: gunicorn takes requests, `snappea` digests them, both on SQLite. Without the
 * reverse proxy that its manual puts before it, which would cost more. Everything is done through its commands and its API.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../tests/harness/free-ports.ts'
import { ended } from '../../tests/harness/processes.ts'
import { envelopesOf } from '../load/template.ts'
import { descendantsOf, usageOf } from '../machine/process-tree.ts'
import { waitForEvents } from '../persist/wait-for-events.ts'
import { BUGSINK_VERSION, type Installed, installBugsink } from './install-bugsink.ts'
import type { Peer, RunningPeer } from './peer.ts'

const OWNER = { name: 'owner@example.com', password: 'correct horse battery' } as const
const LIFTED = 1_000_000_000
/** One for each processor of a small machine; see README.md for what ten gained. */
const WORKERS = 2
const READY_WITHIN_MS = 60_000

/** Limits lifted, and what a person has to change when there is no proxy before it. */
const settings = (url: string): string => `
BUGSINK["BASE_URL"] = "${url}"
ALLOWED_HOSTS = ["127.0.0.1"]
SECURE_PROXY_SSL_HEADER = None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = False
USE_X_REAL_IP = False
for limit in ("EVENTS_PER_PROJECT_PER_5_MINUTES", "EVENTS_PER_PROJECT_PER_HOUR", "EVENTS_PER_5_MINUTES", "EVENTS_PER_HOUR", "RETENTION_PER_PROJECT_EVENT_COUNT", "RETENTION_EVENT_COUNT"):
    BUGSINK["MAX_" + limit] = ${LIFTED}
`

export const bugsinkPeer: Peer = { name: `Bugsink ${BUGSINK_VERSION}`, start }

async function start(): Promise<RunningPeer> {
  const installed = installBugsink()
  const dir = mkdtempSync(join(tmpdir(), 'sonde-bugsink-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const database = join(dir, 'db.sqlite3')
  const command = commandIn(dir, installed)
  const create = [
    '--template',
    'singleserver',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--base-dir',
    dir,
  ]
  command('bugsink-create-conf', [...create, '-o', join(dir, 'bugsink_conf.py')])
  appendFileSync(join(dir, 'bugsink_conf.py'), settings(url))
  mkdirSync(join(dir, 'snappea', 'wakeup'), { recursive: true })
  command('bugsink-manage', ['migrate'])
  command('bugsink-manage', ['migrate', 'snappea', '--database=snappea'])
  command('bugsink-manage', ['createsuperuser', '--noinput', '--username', OWNER.name, '--email', OWNER.name])
  const token = command('bugsink-manage', ['create_auth_token']).trim().split('\n').at(-1) ?? ''

  let processes = await startProcesses(dir, installed, url)
  const project = await createProject(url, token)
  const emptyBytes = bytesBelow(dir)
  const cookie = await sessionCookie(url)
  const read = new DatabaseSync(database, { readOnly: true })
  const ofProject = (column: string): number =>
    Number(read.prepare(`SELECT ${column} AS n FROM projects_project`).get()?.['n'] ?? 0)
  const queryable = async (): Promise<number> => ofProject('digested_event_count')
  const usage = () => [
    usageOf('gunicorn', processes.web.pid ?? 0, { withDescendants: true }),
    usageOf('snappea', processes.worker.pid ?? 0, { withDescendants: true }),
  ]
  const pids = (): number[] =>
    [processes.web, processes.worker].flatMap(({ pid = 0 }) => [pid, ...descendantsOf(pid)])
  const killNow = (): void => pids().forEach(kill)
  process.once('exit', killNow)
  let issuePath: string | undefined
  const page = (path: string): Promise<number> => timed(`${url}${path}`, cookie)
  const killAll = async (): Promise<void> => {
    const all = pids()
    all.forEach(kill)
    for (const pid of all) await ended(pid)
  }
  return {
    target: envelopesOf(port, project),
    queryable,
    untilQueryable: (events) => waitForEvents({ queryable, log: () => processes.log() }, events),
    async isVisible(id) {
      const path = `/api/canonical/0/events/lookup/?event_id=${id}&project=${project.id}`
      return (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status === 200
    },
    usage,
    cpuMs: () => usage().reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    pages: {
      list: () => page(`/issues/${project.id}/`),
      async issue() {
        issuePath ??= await firstIssue(url, token, project.id)
        return page(issuePath)
      },
    },
    issues: async () => Number(read.prepare('SELECT count(*) AS n FROM issues_issue').get()?.['n'] ?? 0),
    async killAndRestart() {
      await killAll()
      processes = await startProcesses(dir, installed, url)
    },
    async stopAndCount() {
      read.close()
      await Promise.all([processes.web, processes.worker].map(stopped))
      command('bugsink-manage', ['vacuum_ingest_dir'])
      command('bugsink-manage', ['vacuum'])
      return bytesBelow(dir) - emptyBytes
    },
    async remove() {
      if (read.isOpen) read.close()
      process.off('exit', killNow)
      await killAll()
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** Runs one of its commands to the end; the answer is standard output. */
function commandIn(dir: string, installed: Installed): (name: string, args: readonly string[]) => string {
  return (name, args) => {
    const script = join(installed.folder, 'bin', name)
    const env = { ...environment(dir, installed), DJANGO_SUPERUSER_PASSWORD: OWNER.password }
    const done = spawnSync(installed.python, [script, ...args], { cwd: dir, env, encoding: 'utf8' })
    if (done.status !== 0)
      throw new Error(`${name} ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
    return done.stdout
  }
}

const environment = (dir: string, { folder }: Installed): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: `${dir}:${folder}`,
  DJANGO_SETTINGS_MODULE: 'bugsink_conf',
})

type Processes = { readonly web: ChildProcess; readonly worker: ChildProcess; log(): string }

async function startProcesses(dir: string, installed: Installed, url: string): Promise<Processes> {
  let log = ''
  const run = (script: string, args: readonly string[]): ChildProcess => {
    const child = spawn(installed.python, [join(installed.folder, 'bin', script), ...args], {
      cwd: dir,
      env: environment(dir, installed),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // What a busy server says of each event must not fill the memory of who measures it.
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-2_000)))
    return child
  }
  const bind = ['--bind', new URL(url).host, '--workers', String(WORKERS), '--no-control-socket']
  const web = run('gunicorn', [...bind, '--max-requests=1000', '--max-requests-jitter=100', 'bugsink.wsgi'])
  const worker = run('bugsink-runsnappea', [])
  const endMs = Date.now() + READY_WITHIN_MS
  for (;;) {
    const status = await fetch(`${url}/accounts/login/`).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) break
    if (Date.now() > endMs || web.exitCode !== null) throw new Error(`Bugsink does not come up\n${log}`)
    await sleep(100)
  }
  return { web, worker, log: () => log }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await ended(child.pid ?? 0)
}

async function createProject(url: string, token: string): Promise<{ id: number; publicKey: string }> {
  const ask = async (path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${url}/api/canonical/0/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const team = await ask('teams/', { name: 'bench' })
  await ask('projects/', { team: team.id, name: 'shop', retention_max_event_count: LIFTED })
  const [project] = (await ask('projects/')).results ?? []
  if (!project) throw new Error('Bugsink made no project')
  return { id: project.id, publicKey: new URL(project.dsn).username }
}

type Answer = {
  readonly id?: string
  readonly results?: readonly { readonly id: number; readonly dsn: string }[]
}

async function firstIssue(url: string, token: string, project: number): Promise<string> {
  const answer = await fetch(`${url}/api/canonical/0/issues/?project=${project}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { results } = (await answer.json()) as { results: readonly { readonly id: string }[] }
  return `/issues/issue/${results[0]?.id}/event/last/`
}

async function sessionCookie(url: string): Promise<string> {
  const form = await fetch(`${url}/accounts/login/`)
  const csrf = cookiesOf(form)
  const answer = await fetch(`${url}/accounts/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: csrf, referer: `${url}/accounts/login/` },
    body: new URLSearchParams({
      csrfmiddlewaretoken: csrf.slice(csrf.indexOf('=') + 1),
      username: OWNER.name,
      password: OWNER.password,
      next: '/',
    }),
  })
  if (answer.status !== 302) throw new Error(`Bugsink's sign-in answered ${answer.status}`)
  return cookiesOf(answer)
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

async function timed(url: string, cookie: string): Promise<number> {
  const startedMs = performance.now()
  const answer = await fetch(url, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return performance.now() - startedMs
}

const bytesBelow = (dir: string): number =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
