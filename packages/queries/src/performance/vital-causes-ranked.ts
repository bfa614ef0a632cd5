/** Which cause of a vital is told first. Pure. */
import type { SourcePlace } from '../scripts/script-position.ts'
import type { CauseRow, ExplainedVital } from './vital-cause-rows.ts'

export type ReasonKind =
  /** Of INP: a script ran. */
  | 'script'
  /** Of LCP: its picture was waited for, the page's first byte was, or what was there was not rendered yet. */
  | 'load'
  | 'first_byte'
  | 'render'
  /** Of LCP: nothing was rendered before a style sheet came. */
  | 'style'
  /** The values of page views with this element; what in them took the time was not told. */
  | 'element'
  /** Of CLS: it moved. */
  | 'shift'

type Placed = CauseRow & { readonly place: SourcePlace | undefined }

export type MainCause = {
  readonly kind: ReasonKind
  /** Of the sum of all values, 0 to 1. */
  readonly share: number
  readonly resource: string
  /** The row of the cause that costs the most, and all of them, also of releases before. */
  readonly first: Placed
  readonly cause: readonly Placed[]
}

/** A script is told before elements from here on: it is where somebody can begin. */
const MIN_SCRIPT_SHARE = 0.2

/** `whole`: the sum of all values in the window, above 0. Undefined: no row tells anything. */
export function mainCause(
  name: ExplainedVital,
  rows: readonly Placed[],
  whole: number,
): MainCause | undefined {
  const found = name === 'lcp' ? causesOfLcp(rows) : causesOf(name, rows)
  const ranked = found
    .map(({ cost, ...cause }) => ({ ...cause, share: Math.min(1, cost / whole) }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share)
  const script = ranked.find(
    ({ kind, share, first }) =>
      kind === 'script' && share >= MIN_SCRIPT_SHARE && first.place?.isInApp !== false,
  )
  return script ?? ranked[0]
}

type Found = Omit<MainCause, 'share'> & { readonly cost: number }

function causesOf(name: 'inp' | 'cls', rows: readonly Placed[]): Found[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(keyOf(name, row)))
  return [...groups].flatMap(([, cause]): Found[] => {
    const [first] = cause.toSorted((a, b) => b.own - a.own)
    if (first === undefined || (!isNamed(first) && !isScript(name, first))) return []
    const kind = name === 'cls' ? 'shift' : isScript(name, first) ? 'script' : 'element'
    return [{ kind, cost: sum(cause, 'own'), resource: '', first, cause }]
  })
}

/** By the component where one is named: its elements are one cause. */
function keyOf(name: ExplainedVital, row: Placed): readonly unknown[] {
  const { place, source, functionName, component, element } = row
  if (!isScript(name, row)) return ['element', component || element]
  return place ? ['place', place.source, place.line] : ['script', source, functionName]
}

/**
 * Of frameworks that listen at the root of the page browsers name the listener (`dispatchDiscreteEvent` of React) for
 * whatever runs in it. What was pressed says more than a library's line.
 */
function isScript(name: ExplainedVital, row: Placed): boolean {
  const isOfLibrary = row.place !== undefined && !row.place.isInApp
  return name === 'inp' && row.source !== '' && !(isOfLibrary && isNamed(row))
}
const isNamed = ({ component, element }: CauseRow): boolean => component !== '' || element !== ''

/**
 * What a picture took to come is its own; the first byte is the same for all pictures of the page. Who told no parts is
 * weighed by the whole value.
 */
function causesOfLcp(rows: readonly Placed[]): Found[] {
  const groups = [...Map.groupBy(rows, (row) => JSON.stringify(lcpKey(row))).values()]
  const found = groups.flatMap((cause): Found[] => {
    const [first] = cause.toSorted((a, b) => b.whole - a.whole)
    if (first === undefined) return []
    const resource = resourceName(first.source)
    const about = { resource, first, cause }
    const [load, render] = [sum(cause, 'load'), sum(cause, 'render')]
    const hasParts = load + render + sum(cause, 'firstByte') > 0
    if (!hasParts)
      return isNamed(first) || resource !== ''
        ? [{ ...about, kind: 'element', cost: sum(cause, 'whole') }]
        : []
    return [
      ...(resource === '' ? [] : [{ ...about, kind: 'load' as const, cost: load }]),
      ...(isNamed(first) ? [{ ...about, kind: 'render' as const, cost: render - sum(cause, 'style') }] : []),
    ]
  })
  const bySheet = Map.groupBy(
    rows.filter(({ sheet }) => sheet !== ''),
    ({ sheet }) => resourceName(sheet),
  )
  for (const [resource, cause] of bySheet) {
    const [first] = cause.toSorted((a, b) => b.style - a.style)
    if (first !== undefined) found.push({ kind: 'style', cost: sum(cause, 'style'), resource, first, cause })
  }
  const [first] = rows
  if (first !== undefined)
    found.push({ kind: 'first_byte', cost: sum(rows, 'firstByte'), resource: '', first, cause: rows })
  return found
}

function lcpKey({ source, component, element }: CauseRow): readonly string[] {
  const resource = resourceName(source)
  return [resource, component || (resource === '' ? element : '')]
}

/** What had just come before most of what a cause moved; undefined: other things, or nobody knows. */
export function lateOf(cause: readonly Placed[]): Placed | undefined {
  const whole = sum(cause, 'own')
  const byName = Map.groupBy(
    cause.filter(({ late }) => late !== ''),
    ({ late }) => resourceName(late),
  )
  return [...byName.values()].find((rows) => sum(rows, 'own') > whole / 2)?.[0]
}

const sum = (
  rows: readonly Placed[],
  of: 'whole' | 'own' | 'firstByte' | 'load' | 'render' | 'style',
): number => rows.reduce((total, row) => total + row[of], 0)

/** `https://cdn.example/a/hero-BxY3kQ9z.jpg?v=2` → `hero.jpg`: builds change the letters between. Empty: no picture. */
export function resourceName(address: string): string {
  if (address === '' || address.startsWith('data:') || address.startsWith('blob:')) return ''
  const url = URL.parse(address, 'http://page')
  // Next.js makes pictures smaller on the way: the original stands in the query.
  const original = url?.searchParams.get('url')
  const path = original && url?.pathname.endsWith('/image') ? original : (url?.pathname ?? address)
  const name = path.split(/[?#]/)[0]?.split('/').findLast(Boolean) ?? ''
  return withoutBuild(name.slice(-MAX_NAME))
}

const MAX_NAME = 100

/** Bundlers put eight letters with a digit or a capital before the ending, or a longer hexadecimal number. */
function withoutBuild(name: string): string {
  const dot = name.lastIndexOf('.')
  if (dot < 2) return name
  const [stem, ending] = [name.slice(0, dot), name.slice(dot)]
  const isParted = (at: number): boolean => at > 0 && (stem[at] === '-' || stem[at] === '.')
  const short = stem.length - 9
  if (isParted(short) && /^[\w-]{8}$/.test(stem.slice(-8)) && /[\dA-Z_]/.test(stem.slice(-8)))
    return stem.slice(0, short) + ending
  const long = Math.max(stem.lastIndexOf('-'), stem.lastIndexOf('.'))
  return isParted(long) && /^[\da-f]{8,64}$/.test(stem.slice(long + 1)) ? stem.slice(0, long) + ending : name
}
