/** `sonde sourcemaps verify`: will errors of this build be readable? Exit code 0: of each bundle; 1: not of all. */
import { relative } from 'node:path'
import { type CommandInput, UsageError } from '../arguments.ts'
import { findServer, type Server } from '../client/find-server.ts'
import { note, print } from '../print.ts'
import { ANSWER_FORMATS, type AnswerFormat, githubAnnotations, gitlabReport } from './answer-formats.ts'
import { askServer } from './ask-server.ts'
import {
  type BundleCheck,
  checkBundle,
  checkMissing,
  type FoundBundle,
  type MissingScript,
  withState,
} from './check-bundle.ts'
import { readFolder } from './read-folder.ts'
import { type PageInput, readPage } from './read-page.ts'
import { type VerifyAnswer, verifyText } from './verify-text.ts'

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
