/**
 * Brings a ZIP to a Sonde by the interface that Sentry's tools use: asks what is missing, sends only that, and waits until
 * it is put together.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base'
import { callServer } from './call-server.ts'
import type { Server } from './server-address.ts'

type ChunkOptions = {
  readonly url: string
  readonly chunkSize: number
  readonly chunksPerRequest: number
  readonly maxRequestSize: number
  readonly maxFileSize?: number
}

type Assembly = {
  readonly state: 'not_found' | 'created' | 'assembling' | 'ok' | 'error'
  readonly missingChunks?: readonly string[]
  readonly detail?: string | null
}

export type UploadTarget = {
  readonly project: string
  readonly release: string | undefined
  readonly dist: string | undefined
}

export type UploadProgress = (what: string) => void

const ASK_AGAIN_MS = 1_000
const DONE_WITHIN_MS = 10 * 60_000

/** @throws SondeError */
export async function uploadZip(
  server: Server,
  zip: Buffer,
  { project, release, dist }: UploadTarget,
  tell: UploadProgress,
): Promise<void> {
  const base = `/api/0/organizations/${encodeURIComponent(server.org)}`
  const options = await callServer<ChunkOptions>(server, `${base}/chunk-upload/`)
  const { maxFileSize = 0 } = options
  if (maxFileSize > 0 && zip.length > maxFileSize)
    throw failed(server, `the upload has ${zip.length} bytes, allowed are ${maxFileSize}`)
  const chunks = splitChunks(zip, options.chunkSize)
  const json = {
    checksum: sha1(zip),
    chunks: chunks.map((chunk) => chunk.sha1),
    projects: [project],
    ...(release === undefined ? {} : { version: release }),
    ...(dist === undefined ? {} : { dist }),
  }
  const assemble = (): Promise<Assembly> =>
    callServer<Assembly>(server, `${base}/artifactbundle/assemble/`, { json })
  let state = await assemble()
  if (state.state === 'not_found') {
    const missing = new Set(state.missingChunks ?? json.chunks)
    const wanted = chunks.filter((chunk) => missing.has(chunk.sha1))
    for (const [index, group] of groupsOf(wanted, options).entries()) {
      tell(`sending part ${index + 1}: ${group.length} of ${wanted.length} pieces`)
      await callServer(server, options.url, { form: () => formOf(group) })
    }
    state = await assemble()
    if (state.state === 'not_found') throw failed(server, 'it does not have what was just sent')
  }
  await waitUntilDone(server, state, assemble, tell)
}

async function waitUntilDone(
  server: Server,
  first: Assembly,
  assemble: () => Promise<Assembly>,
  tell: UploadProgress,
): Promise<void> {
  const endMs = Date.now() + DONE_WITHIN_MS
  for (let { state, detail } = first; state !== 'ok'; { state, detail } = await assemble()) {
    if (state === 'error') throw failed(server, detail ?? 'it refused the upload without saying why')
    if (Date.now() > endMs) throw failed(server, 'it is still putting the upload together')
    tell('Sonde puts it together')
    await sleep(ASK_AGAIN_MS)
  }
}

type Chunk = { readonly sha1: string; readonly bytes: Buffer }

function splitChunks(zip: Buffer, chunkSize: number): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < zip.length; at += chunkSize) {
    const bytes = zip.subarray(at, at + chunkSize)
    chunks.push({ sha1: sha1(bytes), bytes })
  }
  return chunks
}

/** As many as one request may hold, each content once. */
function groupsOf(chunks: readonly Chunk[], { chunksPerRequest, maxRequestSize }: ChunkOptions): Chunk[][] {
  const groups: Chunk[][] = []
  let bytes = 0
  for (const chunk of new Map(chunks.map((each) => [each.sha1, each])).values()) {
    const group = groups.at(-1)
    if (group && group.length < chunksPerRequest && bytes + chunk.bytes.length <= maxRequestSize) {
      group.push(chunk)
      bytes += chunk.bytes.length
    } else {
      groups.push([chunk])
      bytes = chunk.bytes.length
    }
  }
  return groups
}

function formOf(chunks: readonly Chunk[]): FormData {
  const form = new FormData()
  for (const chunk of chunks) form.append('file', new Blob([new Uint8Array(chunk.bytes)]), chunk.sha1)
  return form
}

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

const failed = (server: Server, what: string): SondeError =>
  new SondeError('unavailable', `${server.url} did not take the upload: ${what}`, {
    operation: 'upload source maps',
    subject: server.url,
  })
