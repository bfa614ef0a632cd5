/**
 * Bundles what pages load without a build: the reporter and the feedback widget, classic scripts that start themselves from
 * their own tag, and the crash-report modal. The first two are compressed ahead, since every page of a site asks for them.
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

export const bundleReporterScript = (root: string): Promise<ReporterScript> =>
  bundleScript(root, 'script-tag.ts', 'Sonde')

/** `name`: of the file in `packages/browser/src/script`. */
export async function bundleScript(root: string, name: string, global: string): Promise<ReporterScript> {
  const bundle = await rolldown({
    input: join(root, 'packages', 'browser', 'src', 'script', name),
    cwd: root,
    platform: 'browser',
    resolve: { conditionNames: ['@sonde/source', 'browser', 'import', 'default'] },
    transform: { target: 'es2020' },
  })
  const { output } = await bundle.generate({ format: 'iife', name: global, minify: true })
  await bundle.close()
  const { code } = output[0]
  return { code, integrity: `sha384-${createHash('sha384').update(code).digest('base64')}` }
}

/**
 * Fills `outDir` with `sonde.js`, `sonde-feedback.js`, their compressed forms, `report-dialog.js`, and `sonde.json`, which
 * holds the integrity of the first.
 */
export async function buildReporterScript(root: string, outDir: string): Promise<ReporterScript> {
  const [script, feedback, dialog] = await Promise.all([
    bundleReporterScript(root),
    bundleScript(root, 'feedback-widget.ts', 'SondeFeedback'),
    bundleScript(root, 'report-dialog.ts', 'SondeReportDialog'),
  ])
  await mkdir(outDir, { recursive: true })
  await Promise.all([
    writeCompressed(join(outDir, 'sonde.js'), script.code),
    writeCompressed(join(outDir, 'sonde-feedback.js'), feedback.code),
    writeFile(join(outDir, 'report-dialog.js'), dialog.code),
    writeFile(join(outDir, 'sonde.json'), `${JSON.stringify({ integrity: script.integrity })}\n`),
  ])
  return script
}

async function writeCompressed(file: string, code: string): Promise<void> {
  const bytes = Buffer.from(code)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await Promise.all([
    writeFile(file, bytes),
    writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 })),
    writeFile(`${file}.br`, brotliCompressSync(bytes, { params: quality })),
  ])
}
