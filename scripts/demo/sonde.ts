/** A Sonde of its own for the demo: the built program, its own data folder, a known password. */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isPortFree } from './ports.ts'

export const DEMO_OWNER = { email: 'owner@demo.local', password: 'kettle-and-crane' } as const

export type DemoSonde = {
  readonly url: string
  /** Makes the project if it is not there. */
  dsnOf(path: string, platform: string): string
  /** What the command answers with `--json`. */
  json(args: readonly string[]): unknown
  /** For programs, in the organization `default`. */
  tokenFor(scopes: string): string
  stop(): Promise<void>
}

const READY_WITHIN_MS = 30_000
const USUAL_PORT = 8600

/** `smtpUrl`: where its mail goes. */
export async function startDemoSonde(root: string, dataDir: string, smtpUrl: string): Promise<DemoSonde> {
  const program = join(process.env['SONDE_DIST'] ?? join(root, 'dist'), 'server', 'sonde.js')
  const port = process.env['PORT'] ?? ((await isPortFree(USUAL_PORT)) ? USUAL_PORT : 0)
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    SONDE_DATA_DIR: dataDir,
    SONDE_OWNER_EMAIL: DEMO_OWNER.email,
    SONDE_OWNER_PASSWORD: DEMO_OWNER.password,
    SONDE_LOG_LEVEL: 'warn',
    // Days of visits arrive within seconds.
    SONDE_SPIKE_LIMIT_EVENTS: 'off',
    SONDE_SPIKE_LIMIT_SPANS: 'off',
    SONDE_SPIKE_LIMIT_BYTES: 'off',
    SONDE_SPIKE_LIMIT_ISSUES: 'off',
    SONDE_SPIKE_LIMIT_RELEASES: 'off',
    SONDE_SMTP_URL: smtpUrl,
    SONDE_MAIL_FROM: 'Sonde <sonde@demo.local>',
    // The demo's Slack is on this machine.
    SONDE_OUTGOING_ALLOW: '127.0.0.0/8',
    NODE_OPTIONS: '',
  }
  // A group of its own: Ctrl+C in the terminal must reach the demo, which then stops its parts in order.
  const child = spawn(process.execPath, [program, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Sonde was not ready in time')), READY_WITHIN_MS)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /Sonde is ready on (http:\/\/\S+)/.exec(output)?.[1]
      if (!found) return
      clearTimeout(timer)
      resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`Sonde ended with ${code} before it was ready`)))
  })
  const json = (args: readonly string[]): unknown => {
    const done = spawnSync(process.execPath, [program, ...args, '--json'], {
      env: { ...env, PORT: new URL(url).port },
      encoding: 'utf8',
    })
    if (done.status !== 0) throw new Error(done.stderr)
    return JSON.parse(done.stdout)
  }
  return {
    url,
    json,
    dsnOf: (path, platform) =>
      (json(['project', 'create', path, '--platform', platform]) as { dsn: string }).dsn,
    tokenFor: (scopes) =>
      (
        json(['token', 'create', '--name', 'builds of the demo', '--scopes', scopes, '--org', 'default']) as {
          token: string
        }
      ).token,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
