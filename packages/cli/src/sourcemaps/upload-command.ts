/** `sonde sourcemaps inject` and `upload`. */
import { SondeError } from '@sonde/base/errors'
import { type CommandInput, UsageError } from '../arguments.ts'
import { connect, projectOf } from '../client/connection.ts'
import { note, print } from '../print.ts'
import { builtScripts, type BuiltScript, deleteMaps, injectFolder } from './build-folder.ts'
import { uploadBundle } from './upload-bundle.ts'

export function inject({ positionals, flag }: CommandInput): Promise<number> {
  const [folder = ''] = positionals
  const { scripts, injected } = injectFolder(folder)
  if (scripts.length === 0) throw nothingIn(folder)
  const answer = {
    scripts: scripts.map(({ name, debugId }) => ({ name, debugId: debugId ?? null })),
    injected: injected.length,
  }
  if (flag('json')) print(JSON.stringify(answer))
  else
    print(
      `${count(scripts.length, 'script')} with maps; ${injected.length} got a debug id, ${scripts.length - injected.length} had one.`,
    )
  return Promise.resolve(0)
}

export async function upload(input: CommandInput): Promise<number> {
  const { positionals, text, flag } = input
  const [folder = ''] = positionals
  const [release, dist] = [text('release'), text('dist')]
  if (dist !== undefined && release === undefined)
    throw new UsageError('--dist is of a release: give --release too')
  const connection = connect(input)
  const [org, project] = [connection.org(), projectOf(connection)]
  const { scripts, injected } = flag('no-inject')
    ? { scripts: builtScripts(folder), injected: [] }
    : injectFolder(folder)
  if (scripts.length === 0) throw nothingIn(folder)
  if (release === undefined) needIds(scripts)
  const { call, url } = connection
  const sent = await uploadBundle({
    org,
    project,
    scripts,
    release,
    dist,
    urlPrefix: text('url-prefix'),
    call,
  })
  const deleted = flag('delete-maps') ? deleteMaps(scripts) : 0
  const answer = {
    url,
    org,
    project,
    release: release ?? null,
    scripts: scripts.map(({ name, debugId }) => ({ name, debugId: debugId ?? null })),
    injected: injected.length,
    files: sent.files,
    bytes: sent.bytes,
    sentBytes: sent.sentBytes,
    deletedMaps: deleted,
  }
  if (flag('json')) print(JSON.stringify(answer))
  else {
    print(`Uploaded ${count(scripts.length, 'script')} with maps to ${org}/${project} at ${url}.`)
    note(
      [
        `${injected.length} got a debug id`,
        sent.sentBytes === 0 ? 'all of it was there already' : `${kilobytes(sent.sentBytes)} sent`,
        ...(deleted > 0 ? [`${count(deleted, 'map')} deleted`] : []),
      ].join(', '),
    )
    if (injected.length > 0) note('Deploy the files as they are now: the ids are in them.')
  }
  return 0
}

function needIds(scripts: readonly BuiltScript[]): void {
  const without = scripts.find(({ debugId }) => debugId === undefined)
  if (without !== undefined)
    throw new UsageError(
      `${without.name} has no debug id: leave out --no-inject, or give the --release that the SDK sends`,
    )
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1_000).toLocaleString('en')} kB`

const nothingIn = (folder: string): SondeError =>
  new SondeError('config', `${folder} has no scripts with source maps`, {
    operation: 'read the build',
    subject: folder,
    hint: 'name the folder that the bundler writes to, and let it write maps: Vite `build.sourcemap: "hidden"`, webpack `devtool: "hidden-source-map"`',
  })
