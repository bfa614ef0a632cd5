/** `sonde sourcemaps upload`: debug ids into the files of a build, then scripts and maps to a Sonde. */
import { join } from 'node:path'
import { SondeError } from '@sonde/base'
import type { CommandInput } from '../arguments.ts'
import { note, print } from '../print.ts'
import { terminalLine } from '../terminal-text.ts'
import { bundleZip } from './bundle-zip.ts'
import type { FoundBundle } from './found-bundle.ts'
import { type NotPrepared, prepareBundle, type PreparedBundle } from './prepare-bundle.ts'
import { readFolder } from './read-folder.ts'
import { needServer } from './server-address.ts'
import { uploadZip } from './upload-zip.ts'
import { writeChanged } from './write-changed.ts'

export async function run({ positionals, text, flag }: CommandInput): Promise<number> {
  const [folder = ''] = positionals
  const server = needServer({ text, env: process.env })
  const { project } = server
  if (project === undefined)
    throw new SondeError('config', '--project: the project as it stands in the addresses of Sonde', {
      operation: 'upload source maps',
      subject: '--project',
    })
  const { ready, left, injected } = prepareAll(folder)
  for (const { name, why, isError } of left)
    note(terminalLine(`${isError ? 'error' : 'left out'}  ${name}: ${why}`))
  const hasErrors = left.some(({ isError }) => isError)
  if (ready.length === 0) {
    note(
      `${folder}: no script with a source map, so there is nothing to upload. \`sonde sourcemaps verify ${folder}\` says more.`,
    )
    return 1
  }
  note(`${countOf(ready.length, 'script')} with a map; debug ids were put into ${injected}`)
  const target = { release: text('release'), dist: text('dist') }
  const urlPrefix = text('url-prefix') ?? '~/'
  const zip = await bundleZip(ready, { ...target, org: server.org, project, urlPrefix })
  note(`${zip.length} bytes packed`)
  await uploadZip(server, zip, { ...target, project }, (what) => note(what))
  const bundles = ready.map(({ name, debugId }) => ({ file: name, debugId }))
  print(
    flag('json')
      ? JSON.stringify({ bundles, left: left.map(({ name, why }) => ({ file: name, why })), injected })
      : `Uploaded ${countOf(ready.length, 'script')} and as many maps to ${server.org}/${project}. Deploy the files of ${folder} as they are now.`,
  )
  return hasErrors ? 1 : 0
}

function prepareAll(folder: string): {
  readonly ready: readonly PreparedBundle[]
  readonly left: readonly NotPrepared[]
  readonly injected: number
} {
  const ready: PreparedBundle[] = []
  const left: NotPrepared[] = []
  let injected = 0
  for (const bundle of readFolder(folder)) {
    const prepared = prepareBundle(bundle)
    if ('why' in prepared) {
      left.push(prepared)
      continue
    }
    ready.push(prepared)
    if (writeBack(folder, bundle, prepared)) injected++
  }
  return { ready, left, injected }
}

function writeBack(folder: string, { map }: FoundBundle, { name, changed }: PreparedBundle): boolean {
  if (!changed) return false
  const files = new Map<string, string>()
  if (changed.code !== undefined) files.set(join(folder, name), changed.code)
  if (changed.map !== undefined && map.kind === 'found' && map.file !== undefined)
    files.set(map.file, changed.map)
  writeChanged(files)
  return true
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
