/** For plugins of bundlers: what `sonde sourcemaps upload` does, as functions. */
import { callServer } from '../client/call-server.ts'
import { findServer, missing } from '../client/find-server.ts'
import { deleteMaps, injectFolder } from './build-folder.ts'
import { uploadBundle } from './upload-bundle.ts'

export type UploadOptions = {
  /** What the bundler wrote. */
  readonly folder: string
  readonly project: string
  /** Of the Sonde. Without it what the token says, or `SONDE_URL`, `SENTRY_URL`. */
  readonly url?: string | undefined
  readonly org?: string | undefined
  /** Without it `SONDE_AUTH_TOKEN` or `SENTRY_AUTH_TOKEN`. */
  readonly token?: string | undefined
  readonly release?: string | undefined
  readonly dist?: string | undefined
  readonly deleteMaps?: boolean | undefined
}

export type UploadResult = {
  readonly scripts: number
  readonly injected: number
  readonly sentBytes: number
}

/** Whether there is a token at all: builds on the machines of developers have none, and upload nothing. */
export const hasToken = (options: Pick<UploadOptions, 'token'>): boolean =>
  [options.token, process.env['SONDE_AUTH_TOKEN'], process.env['SENTRY_AUTH_TOKEN']].some(Boolean)

/** Injects debug ids, uploads, and deletes the maps if asked to. Nothing to do where there are no maps. @throws an error that says what to do */
export async function uploadSourceMaps(options: UploadOptions): Promise<UploadResult> {
  const given: Readonly<Record<string, string | undefined>> = {
    url: options.url,
    org: options.org,
    token: options.token,
  }
  const server = findServer({ text: (name) => given[name], env: process.env })
  if (server === undefined) throw missing('token', 'set SONDE_AUTH_TOKEN, scope org:ci')
  const { scripts, injected } = injectFolder(options.folder)
  if (scripts.length === 0) return { scripts: 0, injected: 0, sentBytes: 0 }
  const { url, org, token } = server
  const credentials = { token: () => Promise.resolve(token), renew: () => Promise.resolve(undefined) }
  const { sentBytes } = await uploadBundle({
    org,
    project: options.project,
    scripts,
    release: options.release,
    dist: options.dist,
    call: (call) => callServer(url, credentials, call),
  })
  if (options.deleteMaps) deleteMaps(scripts)
  return { scripts: scripts.length, injected: injected.length, sentBytes }
}
