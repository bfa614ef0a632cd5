/**
 * What `sentry-cli sourcemaps inject` and `upload` do, as little of it as tests of other things need: maps of rolldown and Vite
 * that lie beside their scripts. The suite `tools` runs the real ones.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { ZipFile } from 'yazl'

/** Each script with its map gets a debug id of its content, once. */
export function injectDebugIds(folder: string): void {
  for (const file of scriptsWithMaps(folder)) {
    const code = readFileSync(file, 'utf8')
    if (debugIdIn(code)) continue
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { mappings: string }
    const hash = createHash('sha256').update(code).digest('hex')
    const id = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')
    // A line of its own: the map moves by that line, and no column does.
    writeFileSync(file, `${snippet(id)}\n${code.replace(/\n*$/, '\n')}//# debugId=${id}\n`)
    const moved = { ...map, mappings: `;${map.mappings}`, debugId: id, debug_id: id }
    writeFileSync(`${file}.map`, JSON.stringify(moved))
  }
}

/** What the server takes at most as one. */
const PIECE_BYTES = 8 * 1024 * 1024
const sha1Of = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

export type UploadTo = {
  readonly url: string
  readonly token: string
  /** `acme/shop` */
  readonly project: string
  readonly release?: string
  readonly dist?: string
}

/** Resolves once the server has assembled it. */
export async function uploadBuild(folder: string, to: UploadTo): Promise<void> {
  await uploadZip(await zipBuild(folder, to), to)
}

/** Every script with its map, as one bundle. */
export async function zipBuild(
  folder: string,
  { project: name, release, dist }: Omit<UploadTo, 'url' | 'token'>,
): Promise<Buffer> {
  injectDebugIds(folder)
  const [org = '', project = ''] = name.split('/')
  return await zipOf(folder, { org, project, release, dist })
}

/** Resolves once the server has assembled it. */
export async function uploadZip(zip: Buffer, to: UploadTo): Promise<void> {
  const [org = '', project = ''] = to.project.split('/')
  const pieces = new Map<string, Buffer>()
  for (let at = 0; at < zip.length; at += PIECE_BYTES) {
    const piece = zip.subarray(at, at + PIECE_BYTES)
    pieces.set(sha1Of(piece), piece)
  }
  const base = `${to.url}/api/0/organizations/${org}`
  const post = async (path: string, body: string | FormData): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${to.token}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    }
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  const chunks = [...pieces.keys()]
  const asked = { checksum: sha1Of(zip), chunks, projects: [project], version: to.release, dist: to.dist }
  for (let state = ''; state !== 'ok';) {
    const answer = (await post('/artifactbundle/assemble/', JSON.stringify(asked))) as {
      state: string
      detail?: string
    }
    ;({ state } = answer)
    if (state === 'error') throw new Error(answer.detail)
    if (state === 'not_found') {
      for (const [sha1, piece] of pieces) {
        const form = new FormData()
        form.append('file', new Blob([new Uint8Array(piece)]), sha1)
        await post('/chunk-upload/', form)
      }
    } else if (state !== 'ok') await sleep(100)
  }
}

function zipOf(folder: string, about: Readonly<Record<string, string | undefined>>): Promise<Buffer> {
  const zip = new ZipFile()
  const files: Record<string, unknown> = {}
  for (const file of scriptsWithMaps(folder)) {
    const code = readFileSync(file)
    const url = `~/${file.slice(folder.length).replace(/^\/+/, '')}`
    const path = `files/_/_/${url.slice(2)}`
    const headers = { 'debug-id': debugIdIn(code.toString()) }
    const sourcemap = `${url.slice(url.lastIndexOf('/') + 1)}.map`
    zip.addBuffer(code, path)
    zip.addBuffer(readFileSync(`${file}.map`), `${path}.map`)
    files[path] = { type: 'minified_source', url, headers: { ...headers, sourcemap } }
    files[`${path}.map`] = { type: 'source_map', url: `${url}.map`, headers }
  }
  zip.addBuffer(Buffer.from(JSON.stringify({ ...about, files })), 'manifest.json')
  zip.end()
  return buffer(zip.outputStream)
}

const scriptsWithMaps = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.js') && existsSync(`${file}.map`))
    .toSorted()

const debugIdIn = (code: string): string | undefined => /\/\/# debugId=(\S+)/.exec(code)?.[1]

/** https://github.com/getsentry/sentry-javascript/blob/10.0.0/packages/core/src/utils/debug-ids.ts reads it. */
const snippet = (id: string): string =>
  `!function(){try{var e=globalThis,n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},` +
  `e._sentryDebugIds[n]="${id}",e._sentryDebugIdIdentifier="sentry-dbid-${id}")}catch(e){}}();`
