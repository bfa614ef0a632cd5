/** `@sonde/cli` against a real Sonde: logged in through the consent page in Chromium, every command, a tail over a restart. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sonde } from '@sonde/vite-plugin'
import { rolldown } from 'rolldown'
import { build } from 'vite'
import { apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { OWNER, type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { newEventId, sendEvent } from './screens-events.ts'

const PACKAGE = join(import.meta.dirname, '../../packages/cli')
const dir = mkdtempSync(join(tmpdir(), 'sonde-client-'))
const MAIN = join(dir, 'cli', 'dist', 'main.js')
const LOGINS = join(dir, 'config', 'logins.json')
let running: RunningSonde
let shop: CreatedProject

type Done = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const own = { SONDE_CONFIG_DIR: join(dir, 'config'), SONDE_ORG: 'acme', SONDE_PROJECT: 'shop' }
  return spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...own, ...env } })
}

async function run(args: readonly string[], input = ''): Promise<Done> {
  const child = start(args)
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  child.stdin?.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

/** What came so far. */
function textOf(stream: ChildProcess['stdout']): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}

async function json<Answer>(args: readonly string[], code = 0, input?: string): Promise<Answer> {
  const done = await run([...args, '--json'], input)
  assert.equal(done.code, code, `${args.join(' ')}: ${done.stdout}${done.stderr}`)
  return JSON.parse(done.stdout) as Answer
}

async function until<Value>(look: () => Value | undefined | false, withinMs = 30_000): Promise<Value> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const value = look()
    if (value !== undefined && value !== false) return value
    if (Date.now() > endMs) throw new Error(`it did not happen within ${withinMs} ms: ${look.toString()}`)
    await sleep(25)
  }
}

type Kept = { servers: Record<string, { accessToken: string; refreshToken: string; expiresMs: number }> }
const kept = () => {
  const login = (JSON.parse(readFileSync(LOGINS, 'utf8')) as Kept).servers[running.url]
  assert.ok(login)
  return login
}

describe('the client', () => {
  before(async () => {
    const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    // In one piece: the tests start it some fifty times.
    const bundle = await rolldown({
      input: join(PACKAGE, 'src/main.ts'),
      platform: 'node',
      // What the package depends on is read where it lies.
      external: Object.keys(dependencies),
      resolve: { conditionNames: ['@sonde/source', 'import'] },
    })
    await bundle.write({ dir: join(dir, 'cli', 'dist'), format: 'esm' })
    await bundle.close()
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(dir, 'cli', 'node_modules'))
    cpSync(join(PACKAGE, 'package.json'), join(dir, 'cli', 'package.json'))
    running = await startSonde()
    shop = createProject(running, 'acme/shop')
  })
  after(async () => {
    rmSync(dir, { recursive: true, force: true })
    assert.equal(await running?.stop(), 0)
  })

  it('logs in by the browser, after the person said yes', async () => {
    const child = start(['login', '--url', running.url, '--org', 'acme', '--no-browser'])
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
    const closed = once(child, 'close')
    const address = await until(() => /^ {2}(http\S+)$/m.exec(stderr())?.[1])
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.goto(address)
      await page.getByLabel('E-mail').fill(OWNER.email)
      await page.getByLabel('Password').fill(OWNER.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Connect Sonde command line?' }).waitFor()
      await page.locator('select[name=org]').selectOption('acme')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByRole('heading', { name: 'Logged in' }).waitFor()
    } finally {
      await browser.close()
    }
    assert.deepEqual(await closed, [0, null], stderr())
    assert.match(stdout(), /^Logged in to http:\S+\. Organizations: acme\.$/m)
    assert.equal(statSync(LOGINS).mode & 0o777, 0o600)
    const { scopes, login } = await json<{ scopes: string[]; login: string }>(['whoami'])
    assert.deepEqual([login, scopes.includes('event:write')], ['oauth', true])
  })

  it('renews a login that ends once, however many processes see it', async () => {
    const { refreshToken } = kept()
    const file = JSON.parse(readFileSync(LOGINS, 'utf8')) as Kept
    const login = file.servers[running.url]
    assert.ok(login)
    login.expiresMs = Date.now() - 1
    writeFileSync(LOGINS, JSON.stringify(file))
    const codes = await Promise.all(Array.from({ length: 4 }, async () => (await run(['whoami'])).code))
    assert.deepEqual(codes, [0, 0, 0, 0])
    assert.notEqual(kept().refreshToken, refreshToken)
    assert.ok(kept().expiresMs > Date.now())
  })

  it('lists, shows and changes issues, of several all or none', async () => {
    for (const message of ['first', 'second \u001b[2J'])
      await sendEvent(shop.dsn, { event_id: newEventId(), message, level: 'error', platform: 'node' })
    await apiClient(running).until<readonly object[]>(
      '/api/0/projects/acme/shop/issues/',
      (rows) => rows.length === 2,
    )
    const issues = await json<readonly { shortId: string; title: string; events: number }[]>([
      'issues',
      'list',
    ])
    assert.deepEqual(issues.map(({ title }) => title).toSorted(), ['first', 'second \u001b[2J'])
    const shown = await run(['issues', 'list', 'second'])
    assert.ok(shown.stdout.includes(String.raw`second \u001b[2J`), shown.stdout)
    const ids = issues.map(({ shortId }) => shortId)
    assert.equal((await run(['issues', 'resolve', ...ids, 'SHOP-99'])).code, 4)
    assert.equal((await json<readonly object[]>(['issues', 'list'])).length, 2)
    await json(['issues', 'resolve', ...ids])
    assert.deepEqual(await json(['issues', 'list']), [])
    await json(['issues', 'reopen', ids[0] ?? ''])
    await json(['issues', 'assign', ids[0] ?? '', '--to', OWNER.email])
    const one = await json<{ assignedTo: string; event: { message: string } }>([
      'issues',
      'show',
      ids[0] ?? '',
    ])
    assert.equal(one.assignedTo, OWNER.email)
    assert.match(one.event.message, /first|second/)
    await json(['issues', 'ignore', ids[0] ?? '', '--for', '1h'])
    const projects = await json<readonly { slug: string }[]>(['projects'])
    assert.deepEqual(
      projects.map(({ slug }) => slug),
      ['shop'],
    )
  })

  it('manages tokens for who knows the password', async () => {
    const email = ['--email', OWNER.email]
    const made = await json<{ id: string; token: string }>(
      ['tokens', 'create', '--name', 'ci', ...email],
      0,
      `${OWNER.password}\n`,
    )
    assert.match(made.token, /^sntrys_/)
    const list = () => json<readonly { id: string }[]>(['tokens', 'list', ...email], 0, `${OWNER.password}\n`)
    assert.ok((await list()).some(({ id }) => id === made.id))
    await json(['tokens', 'revoke', made.id, ...email], 0, `${OWNER.password}\n`)
    assert.ok(!(await list()).some(({ id }) => id === made.id))
    assert.equal((await run(['tokens', 'list', ...email], 'wrong\n')).code, 3)
  })

  it('uploads a build, and explains a frame before and after', async () => {
    const out = join(dir, 'dist')
    writeFileSync(
      join(dir, 'cart.ts'),
      'export function total(): number {\n  throw new Error("no lines")\n}\n',
    )
    writeFileSync(
      join(dir, 'main.ts'),
      "import { total } from './cart.ts'\nObject.assign(globalThis, { total })\n",
    )
    const bundle = await rolldown({ input: join(dir, 'main.ts') })
    await bundle.write({ dir: out, format: 'iife', minify: true, sourcemap: true, entryFileNames: 'main.js' })
    await bundle.close()
    const { scripts } = await json<{ scripts: readonly { debugId: string }[] }>(['sourcemaps', 'inject', out])
    const code = readFileSync(join(out, 'main.js'), 'utf8').split('\n')
    const line = code.findIndex((text) => text.includes('no lines'))
    const id = newEventId()
    const filename = 'https://shop.example/main.js'
    const colno = (code[line]?.indexOf('throw') ?? 0) + 1
    await sendEvent(shop.dsn, {
      event_id: id,
      platform: 'javascript',
      timestamp: Date.now() / 1000,
      debug_meta: { images: [{ type: 'sourcemap', code_file: filename, debug_id: scripts[0]?.debugId }] },
      exception: {
        values: [
          {
            type: 'Error',
            value: 'no lines',
            stacktrace: { frames: [{ filename, abs_path: filename, lineno: line + 1, colno, in_app: true }] },
          },
        ],
      },
    })
    await apiClient(running).until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
    type Explained = {
      frames: readonly { readable: boolean; reason: string | null; file: string; line: number }[]
    }
    const before = await json<Explained>(['sourcemaps', 'explain', id], 1)
    assert.equal(before.frames[0]?.reason, 'no_artifact')
    const sent = await json<{ sentBytes: number; injected: number }>(['sourcemaps', 'upload', out])
    assert.ok(sent.sentBytes > 0)
    const again = await json<{ sentBytes: number }>(['sourcemaps', 'upload', out, '--delete-maps'])
    assert.equal(again.sentBytes, 0, 'what is there is not sent again')
    await apiClient(running).until<{ culprit: string }>(
      `/api/0/projects/acme/shop/events/${id}/`,
      (event) => JSON.stringify(event).includes('cart.ts'),
      30_000,
    )
    const after = await json<Explained>(['sourcemaps', 'explain', id, '0'])
    assert.deepEqual([after.frames[0]?.readable, after.frames[0]?.line], [true, 2])
    assert.match(after.frames[0]?.file ?? '', /cart\.ts$/)
    assert.equal((await run(['sourcemaps', 'explain', id, '7'])).code, 2)
  })

  it('has what the plugin of Vite uploads', async () => {
    const root = join(dir, 'site')
    mkdirSync(root)
    writeFileSync(join(root, 'index.html'), '<script type="module" src="/page.js"></script>')
    writeFileSync(
      join(root, 'page.js'),
      'export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0)\nglobalThis.sum = sum\n',
    )
    const args = ['token', 'create', '--name', 'build', '--org', 'acme', '--scopes', 'org:ci']
    const { token } = sondeJson<{ token: string }>(running.dataDir, args, running.env)
    const to = { url: running.url, org: 'acme', token }
    const plugins = [sonde({ project: 'shop', ...to, deleteMaps: false })]
    await build({ root, configFile: false, logLevel: 'silent', plugins, build: { modulePreload: false } })
    const flags = Object.entries(to).flatMap(([name, value]) => [`--${name}`, value])
    const done = await run(['sourcemaps', 'verify', join(root, 'dist'), ...flags])
    assert.equal(done.code, 0, done.stdout + done.stderr)
  })

  it('tails what arrives, each once, while Sonde is stopped and started', async () => {
    const child = start(['tail', 'errors', '--last', '0', '--json'])
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
    const closed = once(child, 'close')
    const told = () =>
      stdout()
        .split('\n')
        .filter(Boolean)
        .map((text) => JSON.parse(text) as { id: string; at: string })
    const sent: string[] = []
    const send = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const event = { event_id: newEventId(), message: `tail ${n}`, level: 'error', platform: 'node' }
        await sendEvent(shop.dsn, event)
        sent.push(event.event_id)
      }
    }
    // Its first question says from when on: what comes before that is not told, and is no loss.
    while (told().length === 0) {
      await send(1)
      await until(() => told().length > 0, 500).catch(() => undefined)
    }
    await until(() => told().at(-1)?.id === sent.at(-1))
    const before = told()[0]?.id ?? ''
    sent.splice(0, sent.indexOf(before))
    await send(20)
    await until(() => told().length === sent.length)
    const { dataDir, port } = running
    await running.stop()
    await until(() => stderr().includes('trying again'))
    running = await startSonde({ dataDir, port })
    await send(10)
    await until(() => told().length >= sent.length)
    await until(() => stderr().includes('answers again'))
    child.kill('SIGINT')
    assert.deepEqual(await closed, [130, null])
    assert.deepEqual(
      told()
        .map(({ id }) => id)
        .toSorted(),
      sent.toSorted(),
    )
  })

  it('says what is wrong by its exit code, and as JSON', async () => {
    assert.equal((await json<{ kind: string }>(['issues', 'list', 'nofield:['], 2)).kind, 'invalid')
    assert.equal((await json<{ kind: string }>(['issues', 'list', '--sort', 'colour'], 2)).kind, 'usage')
    assert.equal((await json<{ kind: string }>(['releases', 'verdict', 'none@1'], 4)).kind, 'not-found')
    assert.equal(
      (await json<{ kind: string }>(['issues', 'list', '--url', 'http://127.0.0.1:9'], 3)).kind,
      'forbidden',
    )
    const away = ['issues', 'list', '--url', 'http://127.0.0.1:9', '--token', 'sonde_x']
    assert.equal((await json<{ kind: string }>(away, 5)).kind, 'unavailable')
  })

  it('logs out: the token is over in Sonde too', async () => {
    const { accessToken } = kept()
    assert.deepEqual(await json(['logout']), { url: running.url, revoked: true })
    const answer = await fetch(`${running.url}/api/0/`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    assert.equal(answer.status, 401)
    assert.equal((await run(['whoami'])).code, 3)
  })
})
