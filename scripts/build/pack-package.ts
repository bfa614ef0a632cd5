/**
 * Packs a built package as it is published: with the licence, and with the repository that provenance names, which
 * has to be the one that publishes (https://docs.npmjs.com/generating-provenance-statements).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `SONDE_REPOSITORY`, or where git pushes to: an address of https. Undefined: none is known, so there is no provenance. */
export function repositoryUrl(root: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['SONDE_REPOSITORY'] ?? remoteOf(root)
  const [, host, path] =
    /^(?:https:\/\/|git@|ssh:\/\/git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?\/?$/.exec(given ?? '') ?? []
  return host === undefined ? undefined : `git+https://${host}/${path}.git`
}

function remoteOf(root: string): string | undefined {
  const asked = spawnSync('git', ['remote', 'get-url', 'origin'], { cwd: root, encoding: 'utf8' })
  return asked.status === 0 ? asked.stdout.trim() : undefined
}

/** Returns the path of the tarball, in `target`. */
export function packPackage(
  root: string,
  name: string,
  target: string,
  repository: string | undefined,
): string {
  const source = join(root, 'packages', name)
  const stage = mkdtempSync(join(tmpdir(), 'sonde-pack-'))
  try {
    cpSync(source, stage, {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|test|size)(?:\/|$)/.test(path.slice(source.length)),
    })
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'))
    const { devDependencies: _, ...manifest } = JSON.parse(
      readFileSync(join(source, 'package.json'), 'utf8'),
    ) as Record<string, unknown>
    const from = repository && { type: 'git', url: repository, directory: `packages/${name}` }
    const packed = { ...manifest, ...(from && { repository: from }) }
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`)
    const out = mkdtempSync(join(target, '.packing-'))
    try {
      const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out]
      execFileSync('npm', args, { cwd: stage, stdio: ['ignore', 'ignore', 'inherit'] })
      const [tarball] = readdirSync(out)
      if (tarball === undefined) throw new Error(`npm packed nothing for ${name}`)
      // Without the version: what names the file in a package.json stays right with the next one.
      const path = join(target, `${name}.tgz`)
      cpSync(join(out, tarball), path)
      return path
    } finally {
      rmSync(out, { recursive: true, force: true })
    }
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}
