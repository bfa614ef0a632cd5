/**
 * Which licences what we ship may have. A copyleft one would bind whoever runs or embeds Sonde, and an unknown one allows
 * nothing: both are found here, not by a customer's lawyer. Shipped is what the packages need at run time; tools that
 * only build and test may have others.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Permissive all of them: notice and text are enough. */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // The first part of Python-2.0, alone.
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Packages that say nothing themselves, with what was found and where. Exact versions: another one is looked at again. */
export const STATED: Readonly<Record<string, { readonly licence: string; readonly source: string }>> = {
  '@better-fetch/fetch@1.1.21': {
    licence: 'MIT',
    source: 'the file LICENSE of the package',
  },
}

type LockEntry = {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}
export type Lock = { readonly packages: Readonly<Record<string, LockEntry>> }

/** Where the lock file puts what `from` imports: its own `node_modules` first, then those of the folders above. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (lock.packages[place]) return lock.packages[place].link ? lock.packages[place].resolved : place
    if (at === '') return undefined
  }
}

/** Installed with what runs, because a start builds. What they build has at most a few lines of theirs, under MIT. */
export const BUILD_TOOLS: ReadonlySet<string> = new Set([
  '@11ty/eleventy',
  '@vitejs/plugin-react',
  'highlight.js',
  'rolldown',
  'vite',
])

/** Places of everything that is there when Sonde runs: from the packages and the Node that runs them on. */
export const shipped = (lock: Lock): readonly string[] =>
  neededBy(
    lock,
    Object.keys(lock.packages).filter((place) => place === '' || /^packages\/[^/]+$/.test(place)),
  ).filter((place) => place.includes('node_modules/'))

/** Places of what these import, and what that imports. The places themselves are not among them. */
export function neededBy(lock: Lock, places: readonly string[]): readonly string[] {
  const waiting = [...places]
  const seen = new Set(waiting)
  for (const from of waiting) {
    const entry = lock.packages[from] ?? {}
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = entry
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true,
    )
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]) {
      if (BUILD_TOOLS.has(name)) continue
      const place = placeOf(lock, from, name)
      if (place === undefined || seen.has(place)) continue
      seen.add(place)
      waiting.push(place)
    }
  }
  return waiting.slice(places.length)
}

const idOf = (lock: Lock, place: string): string =>
  `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${lock.packages[place]?.version ?? ''}`

/** Undefined: the package says none, and nobody has looked. */
export const licenceOf = (lock: Lock, place: string): string | undefined =>
  lock.packages[place]?.license ?? STATED[idOf(lock, place)]?.licence

/** One line for each package that may not be shipped. */
export function licenceProblems(lock: Lock): string[] {
  return shipped(lock).flatMap((place) => {
    const id = idOf(lock, place)
    const licence = licenceOf(lock, place)
    if (licence === undefined)
      return [`${id} says no licence: read its text, and write it into scripts/release/licences.ts`]
    return isAllowed(licence) ? [] : [`${id} is under ${licence}, which may not be shipped`]
  })
}

/** SPDX: of `A OR B` one is enough, of `A AND B` both are needed; what is not understood is not allowed. */
export function isAllowed(expression: string): boolean {
  const text = expression.trim()
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1] ?? text
  if (/[()]/.test(inner)) return false
  return inner.split(/\s+OR\s+/).some((all) => all.split(/\s+AND\s+/).every((one) => ALLOWED.has(one.trim())))
}

export const readLock = (root: string): Lock =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock

export const checkLicences = (root: string): string[] => licenceProblems(readLock(root))
