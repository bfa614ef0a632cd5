/** `sonde sourcemaps verify`: will errors of this build be readable? Exit code 0: of each bundle; 1: not of all. */
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { SondeError } from '@sonde/base/errors'
import { type CommandInput, UsageError } from '../arguments.ts'
import { note, print } from '../print.ts'
import { ANSWER_FORMATS, type AnswerFormat, githubAnnotations, gitlabReport } from './answer-formats.ts'
import { askServer, findServer, type Server } from './call-server.ts'
import {
  type BundleCheck,
  checkBundle,
  checkMissing,
  type FoundBundle,
  type FoundMap,
  type MissingScript,
  withState,
} from './check-bundle.ts'
import { type PageInput, readPage } from './read-page.ts'
import { codeFacts, inlineMap } from './script-facts.ts'
import { type VerifyAnswer, verifyText } from './verify-text.ts'

/** The scripts below a folder with their maps, as a bundler left them. */
const SCRIPT = /\.(?:js|mjs|cjs)$/i
const MAX_SCRIPTS = 20_000
const MAX_FILE_BYTES = 256 * 1024 * 1024
/** Of packages, not of a build; and what is hidden is nobody's bundle. */
const LEFT_OUT = /^(?:node_modules|\..*)$/

/** Paths below the folder, with `/`, sorted. @throws SondeError `config` */
function scriptsBelow(folder: string): string[] {
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

function findMap(file: string, code: string): FoundMap {
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
  return { kind: 'found', place, bytes: readFileSync(path) }
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

export async function run({ positionals, text, flag }: CommandInput): Promise<number> {
  const [place = ''] = positionals
  const format = formatOf(text('format') ?? (flag('json') ? 'json' : 'text'))
  const server = findServer({ text, env: process.env })
  const { scripts, elsewhere } = await open(place, {
    hosts: (text('host') ?? '').split(',').filter((host) => host !== ''),
    manifest: text('manifest'),
    pages: pagesOf(text('pages') ?? '1'),
  })
  const checks: BundleCheck[] = []
  const publicMaps: string[] = []
  const isPage = isAddress(place)
  for await (const script of scripts) {
    checks.push('code' in script ? checkBundle(script) : checkMissing(script))
    if (isPage && 'code' in script && script.map.kind === 'found')
      publicMaps.push(`${script.name} (${script.map.place})`)
  }
  const answered = server === undefined ? checks : await withServer(checks, server)
  say(format, place, { bundles: answered, publicMaps, elsewhere: [...elsewhere] })
  return answered.length > 0 && answered.every(({ problems }) => problems.length === 0) ? 0 : 1
}

function say(format: AnswerFormat, place: string, answer: VerifyAnswer): void {
  const { bundles } = answer
  const folder = isAddress(place) ? undefined : relative('.', place) || '.'
  const forPeople = bundles.length > 0 ? verifyText(answer) : `${place} has no scripts: ${NO_SCRIPTS}`
  if (format === 'json') print(JSON.stringify(answer))
  else if (format === 'gitlab') print(gitlabReport(bundles, folder))
  else if (bundles.length > 0) print(forPeople)
  if (format === 'github') for (const line of githubAnnotations(bundles, folder)) print(line)
  if (format === 'gitlab' || (format !== 'json' && bundles.length === 0)) note(forPeople)
}

const NO_SCRIPTS = 'name the folder that the bundler writes to, or a page that loads scripts'

function formatOf(name: string): AnswerFormat {
  const found = ANSWER_FORMATS.find((one) => one === name)
  if (found === undefined) throw new UsageError(`--format is one of ${ANSWER_FORMATS.join(', ')}`)
  return found
}

const isAddress = (place: string): boolean => /^https?:\/\//i.test(place)

type Scripts = {
  readonly scripts: Iterable<FoundBundle> | AsyncIterable<FoundBundle | MissingScript>
  readonly elsewhere: Iterable<string>
}

async function open(place: string, options: Omit<PageInput, 'address'>): Promise<Scripts> {
  if (!isAddress(place)) return { scripts: readFolder(place), elsewhere: [] }
  for (const address of [place, ...(options.manifest === undefined ? [] : [options.manifest])])
    if (!URL.canParse(address, place)) throw new UsageError(`"${address}" is no address`)
  return readPage({ address: place, ...options })
}

const MAX_PAGES = 1_000
function pagesOf(text: string): number {
  const pages = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (pages < 1 || pages > MAX_PAGES) throw new UsageError(`--pages is a number from 1 to ${MAX_PAGES}`)
  return pages
}

async function withServer(checks: readonly BundleCheck[], server: Server): Promise<BundleCheck[]> {
  const ids = checks.flatMap(({ debugId }) => (debugId === undefined ? [] : [debugId]))
  const states = await askServer(server, ids)
  return checks.map((check) =>
    withState(check, check.debugId === undefined ? undefined : states.get(check.debugId)),
  )
}
