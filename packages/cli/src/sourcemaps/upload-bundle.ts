/**
 * Uploads scripts with their maps as one bundle: a ZIP with a `manifest.json`, in pieces of which only those are sent that the Sonde does
 * not have. docs/internals/artifacts.md has the other side.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, createWriteStream, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base/errors'
import { ZipFile } from 'yazl'
import type { Answer, Call } from '../client/call-server.ts'
import { type BuiltScript, mapRefOf } from './build-folder.ts'

export type UploadInput = {
  readonly org: string
  readonly project: string
  readonly scripts: readonly BuiltScript[]
  readonly release?: string | undefined
  readonly dist?: string | undefined
  /** Where the site serves the folder, for scripts without a debug id: `~/static`. */
  readonly urlPrefix?: string | undefined
  readonly call: <Body>(call: Call) => Promise<Answer<Body>>
}

export type UploadAnswer = {
  readonly files: number
  readonly bytes: number
  /** What was not there already. */
  readonly sentBytes: number
}

type Piece = { readonly sha1: string; readonly from: number; readonly bytes: number }
type Limits = { readonly chunkSize: number; readonly concurrency: number }
type Assembly = {
  readonly state: 'ok' | 'not_found' | 'created' | 'assembling' | 'error'
  readonly missingChunks?: readonly string[]
  readonly detail?: string | null
}

const LOOK_AGAIN_MS = 500
const READY_WITHIN_MS = 10 * 60_000

/** Resolves when the Sonde can use it. @throws SondeError */
export async function uploadBundle(input: UploadInput): Promise<UploadAnswer> {
  const { org, project, release, dist, call } = input
  const base = `/api/0/organizations/${encodeURIComponent(org)}`
  const place = mkdtempSync(join(tmpdir(), 'sonde-upload-'))
  try {
    const zip = join(place, 'bundle.zip')
    const files = await writeZip(zip, input)
    const { body: limits } = await call<Limits>({ path: `${base}/chunk-upload/` })
    const { checksum, pieces } = piecesOf(zip, limits.chunkSize)
    const chunks = pieces.map(({ sha1 }) => sha1)
    const json = { checksum, chunks, projects: [project], version: release, dist }
    const assemble = async (): Promise<Assembly> =>
      (
        await call<Assembly>({
          method: 'POST',
          path: `${base}/artifactbundle/assemble/`,
          json,
          isRepeatable: true,
        })
      ).body
    let sentBytes = 0
    const endMs = performance.now() + READY_WITHIN_MS
    for (let state = await assemble(); state.state !== 'ok'; state = await assemble()) {
      if (state.state === 'error') throw refused(state.detail ?? 'it does not say why')
      if (performance.now() > endMs) throw refused('it is not ready after ten minutes')
      if (state.state === 'not_found') {
        const missing = new Set(state.missingChunks)
        const wanted = pieces.filter(({ sha1 }) => missing.has(sha1))
        sentBytes += await sendPieces(zip, wanted, limits, (form) =>
          call({ method: 'POST', path: `${base}/chunk-upload/`, form, isRepeatable: true }),
        )
      } else await sleep(LOOK_AGAIN_MS)
    }
    return { files, bytes: statSync(zip).size, sentBytes }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Files are read while the ZIP is written: a build may be larger than memory. */
async function writeZip(path: string, input: UploadInput): Promise<number> {
  const { org, project, release, dist, scripts, urlPrefix = '~' } = input
  const zip = new ZipFile()
  const files: Record<string, unknown> = {}
  // The same content is the same bundle, whenever it is packed.
  const options = { mtime: new Date(Date.UTC(1980, 0, 2)), mode: 0o100644 }
  for (const script of scripts) {
    const url = `${urlPrefix.replace(/(?<!\/)\/+$/, '')}/${script.name}`
    const ref = mapRefOf(script)
    const mapUrl = posix.join(posix.dirname(url), ref)
    const headers = script.debugId === undefined ? {} : { 'debug-id': script.debugId }
    const at = `files/_/_/${script.name}`
    const mapAt = `${at}.map`
    zip.addFile(script.file, at, options)
    zip.addFile(script.mapFile, mapAt, options)
    files[at] = { type: 'minified_source', url, headers: { ...headers, sourcemap: ref } }
    files[mapAt] = { type: 'source_map', url: mapUrl, headers }
  }
  const manifest = { org, project, release, dist, files }
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json', options)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return Object.keys(files).length
}

function piecesOf(path: string, size: number): { checksum: string; pieces: readonly Piece[] } {
  const whole = createHash('sha1')
  const pieces: Piece[] = []
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(size)
    for (let from = 0; ;) {
      const bytes = readSync(file, buffer, 0, size, from)
      if (bytes === 0) break
      const part = buffer.subarray(0, bytes)
      whole.update(part)
      pieces.push({ sha1: hex(createHash('sha1').update(part)), from, bytes })
      from += bytes
    }
  } finally {
    closeSync(file)
  }
  return { checksum: hex(whole), pieces }
}

const hex = (hash: Hash): string => hash.digest('hex')

async function sendPieces(
  path: string,
  pieces: readonly Piece[],
  { concurrency }: Limits,
  send: (form: FormData) => Promise<unknown>,
): Promise<number> {
  const waiting = [...pieces]
  const file = openSync(path, 'r')
  const work = async (): Promise<void> => {
    for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) {
      const buffer = Buffer.alloc(piece.bytes)
      readSync(file, buffer, 0, piece.bytes, piece.from)
      const form = new FormData()
      form.append('file', new Blob([buffer]), piece.sha1)
      await send(form)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(4, concurrency)) }, work))
  } finally {
    closeSync(file)
  }
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0)
}

const refused = (why: string): SondeError =>
  new SondeError('invalid', `Sonde does not take the upload: ${why}`, {
    operation: 'upload source maps',
    hint: 'docs/operate/source-maps.md says what it takes',
  })
