/** `sonde sourcemaps verify`: will errors of this build be readable? Exit code 0: of each bundle; 1: not of all. */
import { type CommandInput, UsageError } from '../arguments.ts'
import { note, print } from '../print.ts'
import { askServer, findServer, type Server } from './call-server.ts'
import { type BundleCheck, checkBundle, type FoundBundle, withState } from './check-bundle.ts'
import { readFolder } from './read-folder.ts'
import { readPage } from './read-page.ts'
import { verifyText } from './verify-text.ts'

export async function run({ positionals, text, flag }: CommandInput): Promise<number> {
  const [place = ''] = positionals
  const server = findServer({ text, env: process.env })
  const { bundles, elsewhere } = await open(place, text('host'))
  const checks: BundleCheck[] = []
  const publicMaps: string[] = []
  const isPage = isAddress(place)
  for await (const bundle of bundles) {
    checks.push(checkBundle(bundle))
    if (isPage && bundle.map.kind === 'found') publicMaps.push(`${bundle.name} (${bundle.map.place})`)
  }
  const answered = server === undefined ? checks : await withServer(checks, server)
  const answer = { bundles: answered, publicMaps, elsewhere }
  if (flag('json')) print(JSON.stringify(answer))
  else if (checks.length === 0) note(`${place} has no scripts: name the folder that the bundler writes to`)
  else print(verifyText(answer))
  return answered.length > 0 && answered.every(({ problems }) => problems.length === 0) ? 0 : 1
}

const isAddress = (place: string): boolean => /^https?:\/\//i.test(place)

async function open(
  place: string,
  hosts: string | undefined,
): Promise<{ bundles: Iterable<FoundBundle> | AsyncIterable<FoundBundle>; elsewhere: readonly string[] }> {
  if (!isAddress(place)) return { bundles: readFolder(place), elsewhere: [] }
  if (!URL.canParse(place)) throw new UsageError(`"${place}" is no address`)
  return readPage(
    place,
    (hosts ?? '').split(',').filter((host) => host !== ''),
  )
}

async function withServer(checks: readonly BundleCheck[], server: Server): Promise<BundleCheck[]> {
  const ids = checks.flatMap(({ debugId }) => (debugId === undefined ? [] : [debugId]))
  const states = await askServer(server, ids)
  return checks.map((check) =>
    withState(check, check.debugId === undefined ? undefined : states.get(check.debugId)),
  )
}
