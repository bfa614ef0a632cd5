/**
 * Declarations of a published package. Those of the private `@sonde/protocol` that it refers to are copied along, and
 * what no export leads to is left out.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

const SPECIFIER = /((?:from|import) ?\(?['"])((?:\.{1,2}\/|@sonde\/protocol)[^'"]*)(['"])/g

/** `sources` are the files behind the exports, `./src/index.ts`. Throws with what the compiler says. */
export function emitTypes(root: string, name: string, sources: readonly string[]): void {
  const scratch = mkdtempSync(join(tmpdir(), 'sonde-types-'))
  const dist = join(root, 'packages', name, 'dist')
  try {
    compile(root, name, scratch)
    const seen = new Set<string>()
    const copy = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      const target = join(dist, 'types', file)
      mkdirSync(dirname(target), { recursive: true })
      cpSync(join(scratch, file), target)
      const text = readFileSync(target, 'utf8').replaceAll(
        SPECIFIER,
        (_, before, specifier: string, after) => {
          const wanted = declarationOf(root, file, specifier)
          copy(wanted)
          const path = relative(dirname(file), wanted).replace(/\.d\.ts$/, '.js')
          return `${before}${path.startsWith('.') ? path : `./${path}`}${after}`
        },
      )
      writeFileSync(target, text)
    }
    for (const source of sources) {
      const file = `${name}/${source.replace(/^\.\//, '').replace(/\.tsx?$/, '.d.ts')}`
      copy(file)
      const entry = join(dist, source.replace(/^\.\/src\//, '').replace(/\.tsx?$/, '.d.ts'))
      mkdirSync(dirname(entry), { recursive: true })
      const path = relative(dirname(entry), join(dist, 'types', file)).replace(/\.d\.ts$/, '.js')
      writeFileSync(entry, `export * from './${path.replace(/^\.\//, '')}'\n`)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Path below `packages` of the declaration that an import means. */
function declarationOf(root: string, from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier).replace(/\.[jt]sx?$/, '.d.ts')
  const protocol = join(root, 'packages', 'protocol', 'package.json')
  const { exports } = JSON.parse(readFileSync(protocol, 'utf8')) as { exports: Record<string, string> }
  const source = exports[specifier.replace('@sonde/protocol', '.')]
  if (!source) throw new Error(`${from}: ${specifier} is not among the exports of @sonde/protocol`)
  return join('protocol', source).replace(/\.ts$/, '.d.ts')
}

function compile(root: string, name: string, outDir: string): void {
  // Inside of the repository, so that packages are found.
  const project = join(root, 'packages', name, 'dist', 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: join(root, 'packages'),
    outDir,
    types: ['node'],
  }
  const include = [name, 'protocol'].map((one) => join(root, 'packages', one, 'src'))
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include }))
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const done = spawnSync(tsc, ['-p', project], { cwd: root, encoding: 'utf8' })
  rmSync(project)
  if (done.status !== 0) throw new Error(`types of @sonde/${name}:\n${done.stdout}${done.stderr}`)
}
