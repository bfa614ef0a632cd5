/** An upload as Sentry's tools make it: a ZIP with `manifest.json`, which says what each file is. */
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { PreparedBundle } from './prepare-bundle.ts'

export type ZipTarget = {
  readonly org: string
  readonly project: string
  /** Undefined: files are found by their debug ids alone. */
  readonly release: string | undefined
  readonly dist: string | undefined
  /** `~/static`: what stands before the paths of the folder in the addresses of the page. */
  readonly urlPrefix: string
}

/** So that the same files are the same upload: ZIP has times of its own. */
const NO_TIME = new Date(Date.UTC(1980, 0, 2))

export async function bundleZip(bundles: readonly PreparedBundle[], target: ZipTarget): Promise<Buffer> {
  const { org, project, release, dist, urlPrefix } = target
  const zip = new ZipFile()
  const add = (path: string, text: string): void =>
    zip.addBuffer(Buffer.from(text), path, { mtime: NO_TIME, forceDosTimestamp: true })
  const files: Record<string, unknown> = {}
  for (const { name, debugId, code, map } of bundles) {
    const url = `${urlPrefix.replace(/(?<!\/)\/+$/, '')}/${name}`
    const headers = { 'debug-id': debugId }
    const path = pathOf(url)
    add(path, code)
    files[path] = {
      type: 'minified_source',
      url,
      headers: { ...headers, sourcemap: `${name.slice(name.lastIndexOf('/') + 1)}.map` },
    }
    add(`${path}.map`, map)
    files[`${path}.map`] = { type: 'source_map', url: `${url}.map`, headers }
  }
  const about = {
    org,
    project,
    ...(release === undefined ? {} : { release }),
    ...(dist === undefined ? {} : { dist }),
  }
  add('manifest.json', JSON.stringify({ ...about, files }))
  zip.end()
  return buffer(zip.outputStream)
}

/** `~/x` lies in `files/_/_/x`, `https://host/x` in `files/https/host/x`. */
function pathOf(url: string): string {
  const [, scheme, host, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)\/(.*)$/i.exec(url) ?? []
  if (scheme !== undefined && host !== undefined && rest !== undefined)
    return `files/${scheme}/${host}/${rest}`
  return `files/_/_/${url.replace(/^~?\/*/, '')}`
}
