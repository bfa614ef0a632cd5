/** A harness with room for uploads, and real ZIPs for it. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { operatorViewer, type Viewer } from '@sonde/access'
import { silentLogger } from '@sonde/base'
import {
  assembleBundle,
  type AssembleInput,
  type Assembly,
  type CommandDeps,
  ensureProject,
  openChunkUpload,
  startUploads,
  type UploadsOptions,
} from '@sonde/commands'
import type { Blobs } from '@sonde/stores'
import { ZipFile } from 'yazl'
import { openTestBlobs } from '../../../../tests/harness/engines.ts'
import { openHarness } from '../harness.ts'

export const ID = '85314830-023f-4cf1-a267-535f4e37bb17'
export const MAP = JSON.stringify({
  version: 3,
  sources: ['src/cart.ts'],
  sourcesContent: ['export const total = 1\n'],
  names: [],
  mappings: 'AAAA',
  debugId: ID,
})

export type Part = {
  readonly type: string
  readonly content: string | Uint8Array
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** As sentry-cli packs it: `manifest.json` beside the files. */
export async function bundleZip(
  parts: Readonly<Record<string, Part>>,
  rest: Readonly<Record<string, unknown>> = {},
): Promise<Buffer> {
  const zip = new ZipFile()
  const files: Record<string, unknown> = {}
  for (const [path, { content, ...described }] of Object.entries(parts)) {
    zip.addBuffer(Buffer.from(content), `files/_/_/${path}`)
    files[`files/_/_/${path}`] = { url: `~/${path}`, ...described }
  }
  zip.addBuffer(Buffer.from(JSON.stringify({ files, ...rest })), 'manifest.json')
  zip.end()
  return await buffer(zip.outputStream)
}

/** A script and its map, as a bundler plugin uploads them. */
export const goodParts = (marker = ''): Record<string, Part> => ({
  'app.js': {
    type: 'minified_source',
    content: `let a=1${marker}\n//# debugId=${ID}\n//# sourceMappingURL=app.js.map\n`,
    headers: { 'Debug-Id': ID.toUpperCase(), Sourcemap: 'app.js.map' },
  },
  'app.js.map': { type: 'source_map', content: MAP, headers: { 'debug-id': ID } },
})

export const sha1Of = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

export async function openUploadHarness(options: Partial<UploadsOptions> = {}) {
  const harness = await openHarness()
  const dir = await mkdtemp(join(tmpdir(), 'sonde-uploads-'))
  const blobs: Blobs = await openTestBlobs(dir)
  const { db: records, clock } = harness
  const told: string[] = []
  const start = (more: Partial<UploadsOptions> = {}) =>
    startUploads({
      records,
      blobs,
      clock,
      logger: silentLogger,
      quotaBytes: 1024 ** 3,
      onArtifacts: () => told.push('artifacts'),
      ...options,
      ...more,
    })
  let uploads = start()
  let deps: CommandDeps = { ...harness.deps, blobs, uploads }
  await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'shop', platform: 'javascript' })

  const send = async (bytes: Buffer, chunkBytes = bytes.length, viewer: Viewer = operatorViewer) => {
    const take = openChunkUpload(deps, await deps.access.openOrg(viewer, 'acme', 'release:write'))
    const chunks: string[] = []
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const piece = bytes.subarray(at, at + chunkBytes)
      chunks.push(sha1Of(piece))
      await take(sha1Of(piece), piece)
    }
    return { checksum: sha1Of(bytes), chunks }
  }
  const assemble = (input: Partial<AssembleInput> & Pick<AssembleInput, 'checksum' | 'chunks'>) =>
    deps.access
      .openOrg(operatorViewer, 'acme', 'release:write')
      .then((grant) => assembleBundle(deps, grant, { projects: ['shop'], ...input }))

  return {
    ...harness,
    blobs,
    told,
    send,
    assemble,
    deps: () => deps,
    /** Chunks, then the question what became of them. */
    async upload(bytes: Buffer, input: Partial<AssembleInput> = {}): Promise<Assembly> {
      return await assemble({ ...(await send(bytes)), ...input })
    },
    async restart(more: Partial<UploadsOptions> = {}): Promise<void> {
      await uploads.stop()
      uploads = start(more)
      deps = { ...deps, uploads }
    },
    stop: () => uploads.stop(),
    files: () => records.selectFrom('artifact_file').selectAll().orderBy('url').execute(),
    bundles: () => records.selectFrom('artifact_bundle').selectAll().orderBy('id').execute(),
    reprocessing: async () =>
      (await records.selectFrom('repair').select('target').orderBy('id').execute()).map(
        (row) => JSON.parse(row.target) as unknown,
      ),
    async blobNames(): Promise<string[]> {
      const names = []
      for await (const { name } of blobs.list('')) names.push(name)
      return names
    },
    async close(): Promise<void> {
      await uploads.stop()
      await harness.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type UploadHarness = Awaited<ReturnType<typeof openUploadHarness>>
