/**
 * Holds the published packages to what their users' tools need: `publint` on the manifest, "are the types wrong" on
 * the tarball, no reference to a package that is not published, and a fresh project that installs and uses them.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { buildBrowserPackages, PUBLISHED } from '../build/browser-packages.ts'
import { packPackage, repositoryUrl } from '../build/pack-package.ts'
import { type Packed, tryFresh } from './fresh-project.ts'

/** Modules only, for bundlers and Node 20+: what old resolutions and `require` make of them is not promised. */
const NOT_PROMISED: readonly string[] = ['CJSResolvesToESM']

export async function checkPublished(root: string): Promise<string[]> {
  await buildBrowserPackages(root)
  const problems: string[] = []
  const target = mkdtempSync(join(tmpdir(), 'sonde-published-'))
  try {
    const packed: Packed[] = []
    for (const name of PUBLISHED) {
      const dir = join(root, 'packages', name)
      problems.push(...privateReferences(dir))
      const { messages, pkg } = await publint({ pkgDir: dir, pack: 'npm', strict: true })
      for (const message of messages) problems.push(`${name}: ${formatMessage(message, pkg) ?? message.code}`)
      const tarball = packPackage(root, name, target, repositoryUrl(root))
      packed.push({ name, tarball })
      problems.push(...(await wrongTypes(tarball)).map((problem) => `${name}: ${problem}`))
    }
    return [...problems, ...tryFresh(root, packed)]
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

async function wrongTypes(tarball: string): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (!result.types) return ['the tarball has no types']
  return result.problems
    .filter((problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'))
    .filter(({ kind }) => !NOT_PROMISED.includes(kind))
    .map((problem) => `types: ${JSON.stringify(problem)}`)
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
