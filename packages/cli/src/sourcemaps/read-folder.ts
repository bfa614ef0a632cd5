/** The scripts of a build with their maps, as a bundler left them in a folder. */
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { SondeError } from '@sonde/base/errors'
import type { FoundBundle, FoundMap } from './check-bundle.ts'
import { codeFacts, inlineMap } from './script-facts.ts'

/** The scripts below a folder with their maps, as a bundler left them. */
const SCRIPT = /\.(?:js|mjs|cjs)$/i
const MAX_SCRIPTS = 20_000
const MAX_FILE_BYTES = 256 * 1024 * 1024
/** Of packages, not of a build; and what is hidden is nobody's bundle. */
const LEFT_OUT = /^(?:node_modules|\..*)$/

/** Paths below the folder, with `/`, sorted. @throws SondeError `config` */
export function scriptsBelow(folder: string): string[] {
  const found: string[] = []
  const walk = (at: string): void => {
    for (const entry of entriesOf(at)) {
      if (entry.isDirectory() && !LEFT_OUT.test(entry.name)) walk(join(at, entry.name))
      else if (entry.isFile() && SCRIPT.test(entry.name)) {
        found.push(relative(folder, join(at, entry.name)).split(sep).join('/'))
        if (found.length > MAX_SCRIPTS) throw tooMany(folder)
      }
    }
  }
  if (existsSync(folder) && statSync(folder).isFile()) throw notAFolder(folder)
  walk(folder)
  return found.toSorted()
}

/** One at a time: a build may be larger than memory. @throws SondeError `config` */
export function* readFolder(folder: string): Generator<FoundBundle> {
  for (const name of scriptsBelow(folder)) {
    const file = join(folder, name)
    const code = readFileSync(file, 'utf8')
    yield { name, code, map: findMap(file, code), sourceText: sourcesBeside(file) }
  }
}

/** Where the map of a script lies: what the script names, or the file beside it. */
export function findMap(file: string, code: string): FoundMap {
  const { mapRef } = codeFacts(code)
  if (mapRef === undefined) return beside(file) ?? { kind: 'none' }
  const inline = inlineMap(mapRef)
  if (inline) return { kind: 'found', place: 'inline', bytes: inline }
  if (/^[a-z][a-z0-9+.-]*:/i.test(mapRef) || mapRef.startsWith('//'))
    return (
      beside(file) ?? {
        kind: 'missing',
        place: mapRef,
        detail: 'an address elsewhere, and no file beside the script',
      }
    )
  const path = resolve(dirname(file), decode(mapRef.split(/[?#]/, 1)[0] ?? ''))
  return read(path, mapRef) ?? beside(file) ?? { kind: 'missing', place: mapRef, detail: 'no such file' }
}

/** Bundlers that hide maps from browsers write them without a comment: `app.js.map` beside `app.js`. */
const beside = (file: string): FoundMap | undefined =>
  read(`${file}.map`, `${posix.basename(file.split(sep).join('/'))}.map`)

function read(path: string, place: string): FoundMap | undefined {
  if (!existsSync(path) || !statSync(path).isFile()) return undefined
  if (statSync(path).size > MAX_FILE_BYTES)
    return { kind: 'missing', place, detail: `larger than ${MAX_FILE_BYTES} bytes` }
  return { kind: 'found', place, path, bytes: readFileSync(path) }
}

/** Sources that a map names relative to itself and that lie on this machine. */
function sourcesBeside(file: string): (path: string) => string | undefined {
  return (path) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return undefined
    const at = resolve(dirname(file), path)
    try {
      return statSync(at).isFile() && statSync(at).size <= MAX_FILE_BYTES
        ? readFileSync(at, 'utf8')
        : undefined
    } catch {
      return undefined
    }
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (cause) {
    throw new SondeError('config', `the folder ${folder} cannot be read`, {
      operation: 'read the bundles',
      subject: folder,
      cause,
      hint: 'name the folder that the bundler writes to, such as dist',
    })
  }
}

const notAFolder = (folder: string): SondeError =>
  new SondeError('config', `${folder} is a file`, {
    operation: 'read the bundles',
    subject: folder,
    hint: 'name the folder that it lies in',
  })
const tooMany = (folder: string): SondeError =>
  new SondeError('config', `${folder} has more than ${MAX_SCRIPTS} scripts`, {
    operation: 'read the bundles',
    subject: folder,
    hint: 'name the folder that is deployed, not the whole project',
  })
