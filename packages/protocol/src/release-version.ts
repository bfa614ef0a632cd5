/**
 * Which of two releases is the later one. Versions that can be read as numbers are compared by those, everything else by
 * when it was first seen. docs/decisions/0020-order-of-releases.md
 *
 * Read as numbers: semver (https://semver.org/#spec-item-11) with `package@` in front, `v`, any count of parts and leading
 * zeros, hence calendar versions, dates and build numbers too. Not: hashes, branch names, words.
 */

export type Release = {
  readonly version: string
  /** When anybody first heard of it: of a build that said so, or of its first event. */
  readonly firstSeenMs: number
}

export type ReleaseVersion = {
  /** `shop` of `shop@1.2.3`; empty: none is named. */
  readonly packageName: string
  /** What is behind it. */
  readonly text: string
  /** Decimal digits without leading zeros; without trailing zero parts, so that 1.2 is 1.2.0. Undefined: it has no order. */
  readonly numbers: readonly string[] | undefined
  /** `rc`, `1` of `-rc.1`; empty: it is no pre-release. */
  readonly prerelease: readonly string[]
  /** Behind `+`; empty: none. */
  readonly build: string
}

const NUMBERED =
  /^v?(\d{1,40}(?:\.\d{1,40}){0,9})(?:-([0-9A-Za-z-]{1,80}(?:\.[0-9A-Za-z-]{1,80}){0,19}))?(?:\+([0-9A-Za-z.-]{1,150}))?$/
/** `2026-01-31`: its hyphens part numbers, not a pre-release. */
const DATE = /^((?:19|20|21)\d\d)-(\d\d)-(\d\d)(?=$|[-.+])/
/** The second release of a day, or of a month: `2026.01.31-2`. To semver that would be a pre-release. */
const COUNTED_DATE = /^(v?(?:19|20|21)\d\d(?:\.\d{1,2}){1,2}|(?:19|20|21)\d{6})-(\d{1,6})$/
/** Git's, which some day is of digits alone. */
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

export function parseReleaseVersion(version: string): ReleaseVersion {
  const at = version.lastIndexOf('@')
  const packageName = at > 0 ? version.slice(0, at) : ''
  const text = at > 0 ? version.slice(at + 1) : version
  const match = HASH.test(text)
    ? null
    : NUMBERED.exec(text.replace(DATE, '$1.$2.$3').replace(COUNTED_DATE, '$1.$2'))
  return {
    packageName,
    text,
    numbers: match?.[1] === undefined ? undefined : numbersOf(match[1]),
    prerelease: match?.[2]?.split('.') ?? [],
    build: match?.[3] ?? '',
  }
}

function numbersOf(dotted: string): string[] {
  const numbers = dotted.split('.').map((digits) => digits.replace(/^0+(?=\d)/, ''))
  while (numbers.length > 1 && numbers.at(-1) === '0') numbers.pop()
  return numbers
}

/**
 * Negative: `a` is before `b`. 0: as far as versions tell they are the same. Undefined: versions do not tell, since one has
 * no order or they are of different packages.
 */
export function compareVersions(a: string, b: string): number | undefined {
  return a === b ? 0 : compareParsed(parseReleaseVersion(a), parseReleaseVersion(b))
}

function compareParsed(a: ReleaseVersion, b: ReleaseVersion): number | undefined {
  if (a.packageName !== b.packageName || !a.numbers || !b.numbers) return undefined
  return (
    compareLists(a.numbers, b.numbers, compareDigits) ||
    // Semver: a pre-release is before its release.
    Number(b.prerelease.length > 0) - Number(a.prerelease.length > 0) ||
    compareLists(a.prerelease, b.prerelease, compareIdentifiers) ||
    compareBuilds(a.build, b.build)
  )
}

/** Negative: `a` came before `b`, by version where versions tell, else by time. 0 only for the same version. */
export function compareReleases(a: Release, b: Release): number {
  return compareVersions(a.version, b.version) || byTime(a, b)
}

/**
 * Oldest first, the same for any order of `releases`. Comparing two at a time could go in a circle (1.0 before 2.0 by
 * version, 2.0 before a hash by time, the hash before 1.0 by time); here versions of one package hold together: one is
 * placed by the latest time of those up to it, so an old version that is seen late stands before its successors.
 */
export function inReleaseOrder<Row extends Release>(releases: readonly Row[]): Row[] {
  const parsed = releases.map((release) => ({
    release,
    version: parseReleaseVersion(release.version),
    placeMs: 0,
  }))
  for (const family of Map.groupBy(parsed, familyOf).values()) {
    let latestMs = -Infinity
    for (const each of family.toSorted(inFamily)) {
      latestMs = Math.max(latestMs, each.release.firstSeenMs)
      each.placeMs = latestMs
    }
  }
  return parsed
    .toSorted((a, b) => a.placeMs - b.placeMs || compareTexts(familyOf(a), familyOf(b)) || inFamily(a, b))
    .map(({ release }) => release)
}

type Parsed = { readonly release: Release; readonly version: ReleaseVersion }

/** Versions that can be compared with each other. One without an order is alone. */
const familyOf = ({ version, release }: Parsed): string =>
  version.numbers ? `1${version.packageName}` : `0${release.version}`

const inFamily = (a: Parsed, b: Parsed): number =>
  compareParsed(a.version, b.version) || byTime(a.release, b.release)

const byTime = (a: Release, b: Release): number =>
  a.firstSeenMs - b.firstSeenMs || compareTexts(a.version, b.version)

/** Semver: what has more parts is later; of numbers 1.2 is 1.2.0, for which the zeros were cut off. */
function compareLists(
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): number {
  for (const [at, part] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    const order = compare(part, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Digits without leading zeros, of any length. */
const compareDigits = (a: string, b: string): number => a.length - b.length || compareTexts(a, b)

function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [isDigits(a), isDigits(b)]
  if (isNumber && isOtherNumber) return compareDigits(withoutZeros(a), withoutZeros(b))
  return Number(isOtherNumber) - Number(isNumber) || compareTexts(a, b)
}

/**
 * Semver leaves builds without an order, but `1.2.3+457` is the build after `+456` to everybody who writes so: none, then
 * numbers, then the rest, among which only time tells.
 */
function compareBuilds(a: string, b: string): number {
  const [rank, otherRank] = [buildRank(a), buildRank(b)]
  if (rank !== otherRank || rank !== 1) return rank - otherRank
  return compareDigits(withoutZeros(a), withoutZeros(b))
}
const buildRank = (build: string): 0 | 1 | 2 => (build === '' ? 0 : isDigits(build) ? 1 : 2)

const isDigits = (text: string): boolean => /^\d+$/.test(text)
const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '')
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
