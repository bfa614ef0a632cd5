/**
 * Bundles the reporter for pages without a build: one classic script that starts itself from its own tag. Compressed
 * ahead, since every page of a site asks for it.
 */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

export type ReporterScript = {
  readonly code: string
  /** For the `integrity` attribute: https://www.w3.org/TR/sri-2/ */
  readonly integrity: string
}

export async function bundleReporterScript(root: string): Promise<ReporterScript> {
  const bundle = await rolldown({
    input: join(root, 'packages', 'browser', 'src', 'script', 'script-tag.ts'),
    cwd: root,
    platform: 'browser',
    resolve: { conditionNames: ['@sonde/source', 'browser', 'import', 'default'] },
    transform: { target: 'es2020' },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'Sonde', minify: true })
  await bundle.close()
  const { code } = output[0]
  return { code, integrity: `sha384-${createHash('sha384').update(code).digest('base64')}` }
}

/** Fills `outDir` with `sonde.js`, its compressed forms, and `sonde.json`, which holds its integrity. */
export async function buildReporterScript(root: string, outDir: string): Promise<ReporterScript> {
  const script = await bundleReporterScript(root)
  const bytes = Buffer.from(script.code)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await mkdir(outDir, { recursive: true })
  const file = join(outDir, 'sonde.js')
  await Promise.all([
    writeFile(file, bytes),
    writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 })),
    writeFile(`${file}.br`, brotliCompressSync(bytes, { params: quality })),
    writeFile(join(outDir, 'sonde.json'), `${JSON.stringify({ integrity: script.integrity })}\n`),
  ])
  return script
}
