/** Runs the built Sonde as a person would, in a data folder of its own, on a port that the system gives. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
/** `SONDE_DIST` names another build, for trying one out. */
const sondeOf = (dist: string): string => join(dist, 'server', 'sonde.js')
export const SONDE = sondeOf(process.env['SONDE_DIST'] ?? join(ROOT, 'dist'))
const READY_WITHIN_MS = 30_000

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' } as const

/** What a test needs to know of a Sonde, on one machine or on several. */
export type Installation = {
  readonly url: string
  readonly port: number
  /** For `sonde …`. */
  readonly dataDir: string
  /** Settings that `sonde …` needs besides: the same as the Sonde that runs. */
  readonly env: NodeJS.ProcessEnv
  /** Everything logged to standard error so far. */
  readonly log: () => string
}

export type RunningSonde = Installation & {
  readonly child: ChildProcess
  /** Everything printed to standard output so far. */
  readonly output: () => string
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL to the front; the back notices and ends by itself. */
  kill(): Promise<void>
}

export type StartOptions = {
  /** A copy of one in which Sonde was started before, unless a folder is given: that saves the migrations. */
  readonly dataDir?: string
  readonly env?: NodeJS.ProcessEnv
  readonly port?: number
  /** Another build; needs a `dataDir`. */
  readonly dist?: string
}

/** For what means to send more than a project may without a limit of its own. */
export const WITHOUT_SPIKE_LIMITS = {
  SONDE_SPIKE_LIMIT_EVENTS: 'off',
  SONDE_SPIKE_LIMIT_SPANS: 'off',
  SONDE_SPIKE_LIMIT_BYTES: 'off',
  SONDE_SPIKE_LIMIT_ISSUES: 'off',
  SONDE_SPIKE_LIMIT_RELEASES: 'off',
} as const

export function temporaryDataDir(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-data-'))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) }
}

/** The variable with a `SharedInstallation` as JSON: what tests start is that one then, unless they ask for something special. */
export const INSTALLATION = 'SONDE_TEST_INSTALLATION'

/** A Sonde that runs already, on several machines. */
export type SharedInstallation = Omit<Installation, 'log'> & { readonly logFile: string }

function sharedInstallation(): SharedInstallation | undefined {
  const given = process.env[INSTALLATION]
  return given === undefined ? undefined : (JSON.parse(given) as SharedInstallation)
}

export function sondeEnv(dataDir: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const shared = sharedInstallation()
  return {
    ...process.env,
    ...(shared?.dataDir === dataDir && shared.env),
    HOST: '127.0.0.1',
    SONDE_DATA_DIR: dataDir,
    SONDE_OWNER_EMAIL: OWNER.email,
    SONDE_OWNER_PASSWORD: OWNER.password,
    SONDE_LOG_LEVEL: 'warn',
    // Its own project and visits would stand among what a test counts.
    SONDE_SELF_REPORT: 'off',
    ...env,
  }
}

export async function startSonde({
  dataDir,
  env = {},
  port = 0,
  dist,
}: StartOptions = {}): Promise<RunningSonde> {
  const shared = sharedInstallation()
  if (shared && dataDir === undefined && dist === undefined && Object.keys(env).length === 0)
    return theShared(shared)
  return startIn(dataDir ?? (await startedDataDir()), env, port, dist)
}

/** It goes on when a test stops it. */
function theShared({ logFile, ...installation }: SharedInstallation): RunningSonde {
  const isNone = (): never => {
    throw new Error(
      'a Sonde on several machines has no process of its own: this test needs one on one machine',
    )
  }
  return {
    ...installation,
    log: () => readFileSync(logFile, 'utf8'),
    output: isNone,
    get child() {
      return isNone()
    },
    stop: async () => 0,
    kill: isNone,
  }
}

async function startIn(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  port: number,
  dist?: string,
): Promise<RunningSonde> {
  const child = spawn(process.execPath, [dist === undefined ? SONDE : sondeOf(dist), 'start'], {
    env: sondeEnv(dataDir, { PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`Sonde was not ready within ${READY_WITHIN_MS} ms\n${output}\n${log}`))
    }, READY_WITHIN_MS)
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /Sonde is ready on (http:\/\/\S+)/.exec(output)
      if (!found?.[1]) return
      clearTimeout(timer)
      resolve(found[1])
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`Sonde ended with ${code} before it was ready\n${output}\n${log}`))
    })
  })
  return {
    url,
    port: Number(new URL(url).port),
    dataDir,
    env,
    child,
    output: () => output,
    log: () => log,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** A copy of the data folder that the first start of this build leaves; all processes of a run share the original. */
async function startedDataDir(): Promise<string> {
  const original = join(ROOT, '.cache', 'started-data', buildStamp())
  if (!existsSync(original)) {
    const { dir } = temporaryDataDir()
    const running = await startIn(dir, {}, 0)
    if ((await running.stop()) !== 0) throw new Error(`the first start did not end well\n${running.log()}`)
    // Another process may have been first: what it left is as good.
    const draft = `${original}-${process.pid}`
    cpSync(dir, draft, { recursive: true })
    rmSync(dir, { recursive: true })
    try {
      renameSync(draft, original)
    } catch {
      rmSync(draft, { recursive: true })
    }
  }
  const copy = temporaryDataDir().dir
  cpSync(original, copy, { recursive: true })
  return copy
}

function buildStamp(): string {
  const hash = createHash('sha256')
  const folder = dirname(SONDE)
  for (const name of readdirSync(folder).sort()) {
    const { size, mtimeMs } = statSync(join(folder, name))
    hash.update(`${folder} ${name} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Runs `sonde …` against the same data folder; the answer is standard output. */
export function sonde(
  dataDir: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { code: number | null; stdout: string; stderr: string } {
  const done = spawnSync(process.execPath, [SONDE, ...args], {
    env: sondeEnv(dataDir, env),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { code: done.status, stdout: done.stdout, stderr: done.stderr }
}

export function sondeJson<T>(dataDir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): T {
  const { code, stdout, stderr } = sonde(dataDir, [...args, '--json'], env)
  if (code !== 0) throw new Error(`sonde ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}
