/**
 * `npm run example:page`, `…:shop`, `…:api`: runs an example against the Sonde of this machine, in a project of its own.
 * SONDE_DSN names another project or another Sonde.
 */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuild, ensureDependencies, ensureOwnDependencies, NODE, ROOT, toolEnv } from './setup.mjs'

/** Each part is a process of its own; `shop` brings the API along unless API_URL names one. */
const EXAMPLES = {
  page: [{ project: 'example-page', platform: 'javascript', cwd: 'examples/page', args: ['serve.mjs'] }],
  api: [
    {
      project: 'example-api',
      platform: 'node',
      cwd: 'examples/api',
      args: ['--import', './src/instrument.mjs', 'src/server.mjs'],
    },
  ],
  shop: [
    {
      project: 'example-shop',
      platform: 'javascript-react',
      cwd: 'examples/shop',
      args: ['server/serve.mjs'],
    },
  ],
}

const name = process.argv[2]
const parts = [...(EXAMPLES[name] ?? [])]
if (parts.length === 0) fail(`there is no example "${name}"; there are ${Object.keys(EXAMPLES).join(', ')}`)
if (name === 'shop' && !process.env.API_URL) parts.unshift(...EXAMPLES.api)

// The plugin that uploads the shop's source maps is a tool for the build, as in most projects.
ensureDependencies(name === 'shop' && process.env.SENTRY_AUTH_TOKEN ? 'all' : 'run')
if (parts.some((part) => part.cwd === 'examples/api')) ensureOwnDependencies('examples/api')
const sondeUrl = process.env.SONDE_PUBLIC_URL ?? `http://127.0.0.1:${process.env.SONDE_PORT ?? 8600}`
if (!process.env.SONDE_DSN) {
  await needSonde()
  ensureBuild()
}

const children = parts.map((part) => {
  const child = spawn(NODE, ['--conditions=@sonde/source', ...part.args], {
    cwd: join(ROOT, part.cwd),
    stdio: 'inherit',
    env: toolEnv({ SONDE_DSN: process.env.SONDE_DSN ?? dsnOf(part) }),
  })
  child.once('exit', (code) => stop(code ?? 1))
  return child
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0))

let isStopping = false
function stop(code) {
  if (isStopping) return
  isStopping = true
  process.exitCode = code
  for (const child of children) child.kill('SIGTERM')
}

async function needSonde() {
  const isThere = await fetch(`${sondeUrl}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  )
  if (!isThere) fail(`no Sonde answers on ${sondeUrl}. Start it in another terminal: npm start`)
}

/** Makes the project at the first run; later ones get the same. */
function dsnOf({ project, platform }) {
  const done = spawnSync(
    NODE,
    [
      join(ROOT, 'dist/server/sonde.js'),
      'project',
      'create',
      `default/${project}`,
      '--platform',
      platform,
      '--json',
    ],
    { cwd: ROOT, env: toolEnv({ SONDE_PUBLIC_URL: sondeUrl }), encoding: 'utf8' },
  )
  if (done.status !== 0) fail(done.stderr.trim())
  return JSON.parse(done.stdout).dsn
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
