/**
 * Installs what is published into a project of its own, as a stranger does, and uses it: every export is imported by Node and by
 * TypeScript under both resolutions that are promised, and programs run.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Packed = { readonly name: string; readonly tarball: string }

/** Peers of the packages, which a project has: read where they lie, so that nobody waits for their download. */
const PEERS = [
  'react',
  '@types/react',
  'csstype',
  'react-router',
  'vite',
  'rolldown',
  'lightningcss',
  '@types/node',
  'undici-types',
]
/** They import what only a framework's build has. */
const NOT_IN_NODE: readonly string[] = ['@sonde/react/next']

type Manifest = {
  readonly exports: Readonly<Record<string, unknown>>
  readonly bin?: Readonly<Record<string, string>>
  readonly license?: string
  readonly publishConfig?: { readonly provenance?: boolean; readonly access?: string }
}

/** What does not work; empty: all of it does. */
export function tryFresh(root: string, packed: readonly Packed[]): string[] {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-fresh-'))
  try {
    writeFileSync(join(dir, 'package.json'), '{"name":"fresh","private":true,"type":"module"}\n')
    const flags = [
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--legacy-peer-deps',
      '--prefer-offline',
      '--loglevel=error',
    ]
    const installed = run(dir, 'npm', ['install', ...flags, ...packed.map(({ tarball }) => tarball)])
    if (installed !== undefined) return [`npm install of the tarballs: ${installed}`]
    for (const peer of PEERS) link(root, dir, peer)
    const manifests = packed.map(({ name }) => [name, manifestOf(dir, name)] as const)
    return [
      ...manifests.flatMap(([name, manifest]) => notReady(dir, name, manifest)),
      ...importProblems(dir, manifests),
      ...typeProblems(root, dir, manifests),
      ...manifests.flatMap(([name, manifest]) => programProblems(dir, name, manifest)),
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function link(root: string, dir: string, name: string): void {
  const at = join(dir, 'node_modules', name)
  mkdirSync(dirname(at), { recursive: true })
  rmSync(at, { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules', name), at)
}

const manifestOf = (dir: string, name: string): Manifest =>
  JSON.parse(readFileSync(join(dir, 'node_modules', '@sonde', name, 'package.json'), 'utf8')) as Manifest

/** What a registry and its readers need. */
function notReady(dir: string, name: string, { license, publishConfig }: Manifest): string[] {
  const inside = join(dir, 'node_modules', '@sonde', name)
  const readme = readFileSync(join(inside, 'README.md'), 'utf8')
  return [
    ...(license === 'Apache-2.0' && readFileSync(join(inside, 'LICENSE'), 'utf8').includes('Apache License')
      ? []
      : ['no licence']),
    ...(publishConfig?.provenance === true && publishConfig.access === 'public'
      ? []
      : ['no publishConfig with provenance']),
    ...(readme.includes('```') ? [] : ['no example in its README']),
  ].map((problem) => `${name}: ${problem}`)
}

type Manifests = readonly (readonly [name: string, manifest: Manifest])[]

const specifiers = (manifests: Manifests): readonly string[] =>
  manifests.flatMap(([name, { exports }]) =>
    Object.keys(exports).map((path) => `@sonde/${name}${path.slice(1)}`),
  )

function importProblems(dir: string, manifests: Manifests): string[] {
  const lines = specifiers(manifests)
    .filter((name) => !NOT_IN_NODE.includes(name))
    .map(
      (name) =>
        `if (Object.keys(await import('${name}')).length === 0) throw new Error('${name} exports nothing')`,
    )
  writeFileSync(join(dir, 'all.js'), lines.join('\n'))
  const said = run(dir, process.execPath, ['all.js'])
  return said === undefined ? [] : [`imports in Node: ${said}`]
}

function typeProblems(root: string, dir: string, manifests: Manifests): string[] {
  const names = specifiers(manifests)
  writeFileSync(
    join(dir, 'all.ts'),
    `${names.map((name, at) => `import * as m${at} from '${name}'`).join('\n')}\nexport const all = [${names.map((_, at) => `m${at}`).join(', ')}]\n`,
  )
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  return (
    [
      ['bundler', 'esnext'],
      ['nodenext', 'nodenext'],
    ] as const
  ).flatMap(([resolution, module]) => {
    // Their own declarations are checked too; those of vite and others are not ours.
    const flags = [
      '--noEmit',
      '--strict',
      '--jsx',
      'react-jsx',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
    ]
    const own = [
      '--types',
      'node',
      '--skipLibCheck',
      '--module',
      module,
      '--moduleResolution',
      resolution,
      'all.ts',
    ]
    const said = run(dir, tsc, [...flags, ...own])
    return said === undefined ? [] : [`types with moduleResolution ${resolution}: ${said}`]
  })
}

function programProblems(dir: string, name: string, { bin = {} }: Manifest): string[] {
  return Object.keys(bin).flatMap((program) => {
    const file = join(dir, 'node_modules', '.bin', program)
    const help = run(dir, file, ['--help'])
    const version = run(dir, file, ['--version'])
    return [help, version].flatMap((said) => (said === undefined ? [] : [`${name}: ${program}: ${said}`]))
  })
}

/** Undefined: it ended well. */
function run(cwd: string, command: string, args: readonly string[]): string | undefined {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 })
  return done.status === 0
    ? undefined
    : `${done.stdout}${done.stderr}${done.error?.message ?? ''}`.slice(0, 2_000)
}
