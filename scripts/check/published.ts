/**
 * Holds the published packages to what their users' tools need: `publint` on the manifest, "are the types wrong" on
 * the tarball, and no reference to a package that is not published.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { buildBrowserPackages, PUBLISHED } from '../build/browser-packages.ts'

/** Modules only, for bundlers and Node 20+: what old resolutions and `require` make of them is not promised. */
const NOT_PROMISED: readonly string[] = ['CJSResolvesToESM']

export async function checkPublished(root: string): Promise<string[]> {
  await buildBrowserPackages(root)
  const problems: string[] = []
  for (const name of PUBLISHED) {
    const dir = join(root, 'packages', name)
    problems.push(...privateReferences(dir))
    problems.push(...brokenPrograms(dir).map((problem) => `${name}: ${problem}`))
    const { messages, pkg } = await publint({ pkgDir: dir, pack: 'npm', strict: true })
    for (const message of messages) problems.push(`${name}: ${formatMessage(message, pkg) ?? message.code}`)
    problems.push(...(await wrongTypes(dir)).map((problem) => `${name}: ${problem}`))
  }
  return problems
}

/** Each program must say its help, which loads what it always loads. */
function brokenPrograms(dir: string): string[] {
  const { bin = {} } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as {
    bin?: Record<string, string>
  }
  return Object.entries(bin).flatMap(([program, file]) => {
    const done = spawnSync(process.execPath, [join(dir, file), 'help'], { encoding: 'utf8' })
    return done.status === 0 && done.stdout.includes(program)
      ? []
      : [`${file} help ended with ${done.status}: ${done.stderr}`]
  })
}

async function wrongTypes(dir: string): Promise<string[]> {
  const target = mkdtempSync(join(tmpdir(), 'sonde-pack-'))
  try {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target]
    execFileSync('npm', args, { cwd: dir, stdio: 'pipe' })
    const [tarball = ''] = readdirSync(target)
    const result = await checkPackage(createPackageFromTarballData(readFileSync(join(target, tarball))))
    if (!result.types) return ['the tarball has no types']
    return result.problems
      .filter((problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'))
      .filter(({ kind }) => !NOT_PROMISED.includes(kind))
      .map((problem) => `types: ${JSON.stringify(problem)}`)
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

/** Other packages are not on the registry: nothing that is published may import them, types included. */
export function privateReferences(dir: string): string[] {
  const dist = join(dir, 'dist')
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(js|d\.ts)$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(dist, file), 'utf8')
      const names = [...text.matchAll(/(?:from|import\(|import) ?['"]@sonde\/([a-z-]+)/g)].map(
        (found) => found[1],
      )
      return [...new Set(names)]
        .filter((name) => !PUBLISHED.some((one) => one === name))
        .map((name) => `${join(dist, file)} imports @sonde/${name}, which is not published`)
    })
}
