/** Changes to what JSON means: other types, odd keys, copied parts, depth, numbers that no reader expects. */
import type { Random } from '../engine/random.ts'
import type { Mutate } from '../engine/target.ts'
import { charsOf, fits, type Json } from './json-size.ts'
import { BOUNDARY_NUMBERS, ODD_KEYS, ODD_TEXTS } from './odd-values.ts'

type Container = Json[] | { [key: string]: Json }
type Place = { readonly parent: Container; readonly key: string }

// JSON.parse loses what does not fit a double: such numbers are put in as texts and unquoted in the result.
const RAW = '\u0001raw:'
const MAX_PLACES = 2_000
/** Of one list that is made longer. */
const MAX_LIST_CHARS = 60_000

/** Undefined when it is no JSON of an object or a list, or would become larger than any target takes. */
export function changedJson(input: Buffer, random: Random, other: Buffer): Buffer | undefined {
  const root = { root: parse(input) ?? null }
  if (typeof root.root !== 'object' || root.root === null) return undefined
  const donor = random.oneIn(2) ? parse(other) : undefined
  const donors = donor === undefined ? [] : placesIn({ root: donor })
  for (let left = 1 + random.int(5); left > 0; left--) {
    const places = placesIn(root)
    if (places.length > 0) change(random.pick(places), random, places, donors)
    if (!fits(root.root, 0)) return undefined
  }
  const text = JSON.stringify(root.root ?? null, null, random.oneIn(8) && fits(root.root, 1) ? 1 : 0)
  return Buffer.from(text.replaceAll(/"\\u0001raw:([^"]*)"/g, '$1'))
}

export const mutateJson: Mutate = (input, random, other) => changedJson(input, random, other) ?? input

function parse(bytes: Buffer): Json | undefined {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as Json
    return fits(value, 0) ? value : undefined
  } catch {
    return undefined
  }
}

function placesIn(root: Container): readonly Place[] {
  const places: Place[] = []
  const open: Container[] = [root]
  while (open.length > 0 && places.length < MAX_PLACES) {
    const parent = open.pop()!
    for (const key of Object.keys(parent)) {
      places.push({ parent, key })
      const value = get(parent, key)
      if (typeof value === 'object' && value !== null) open.push(value)
    }
  }
  return places
}

function change(place: Place, random: Random, places: readonly Place[], donors: readonly Place[]): void {
  const { parent, key } = place
  const value = get(parent, key)
  switch (random.int(11)) {
    case 0:
      return set(parent, key, oddValue(random))
    case 1:
      return remove(parent, key)
    case 2:
      if (!Array.isArray(parent)) {
        set(parent, random.oneIn(2) ? random.pick(ODD_KEYS) : random.pick(places).key, value)
        if (random.oneIn(2)) remove(parent, key)
      }
      return
    case 3:
      return set(parent, key, structuredClone(get2(random.pick(places))))
    case 4:
      return donors.length === 0 ? undefined : set(parent, key, structuredClone(get2(random.pick(donors))))
    case 5:
      return set(parent, key, random.pick<Json>([[value], { values: [value] }, { [key]: value }, { value }]))
    case 6:
      return set(parent, key, nested(value, random.pick([3, 40, 250]), random.oneIn(2)))
    case 7:
      if (Array.isArray(value) && value.length > 0) {
        const element = random.pick(value)
        const most = Math.floor(MAX_LIST_CHARS / (charsOf(element, 0, MAX_LIST_CHARS) + 1))
        set(parent, key, Array<Json>(Math.min(most, random.pick([2, 60, 300, 5_000]))).fill(element))
      }
      return
    case 8:
      if (typeof value === 'string') set(parent, key, changedText(value, random))
      return
    case 9:
      if (typeof value === 'number')
        set(parent, key, random.pick([-value, value + 1, value * 1e6, String(value)]))
      return
    default:
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        set(value, random.pick(ODD_KEYS), oddValue(random))
      else set(parent, key, oddValue(random))
  }
}

function oddValue(random: Random): Json {
  switch (random.int(6)) {
    case 0:
      return random.pick<Json>([null, true, false, [], {}, [[]], [null], { '': null }])
    case 1:
      return `${RAW}${random.pick(BOUNDARY_NUMBERS)}`
    case 2:
      return JSON.parse(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
      ) as Json
    default:
      return random.pick(ODD_TEXTS)
  }
}

function changedText(text: string, random: Random): string {
  const at = random.int(text.length + 1)
  switch (random.int(5)) {
    case 0:
      return text.slice(0, at) + random.pick(ODD_TEXTS) + text.slice(at)
    case 1:
      return text.slice(0, at)
    case 2:
      return (
        text.slice(0, at) +
        text.slice(at, at + 1 + random.int(20)).repeat(random.pick([2, 30, 900])) +
        text.slice(at)
      )
    case 3:
      return text.toUpperCase()
    default:
      return text.slice(0, at) + String.fromCharCode(random.int(0x3000)) + text.slice(at + 1)
  }
}

function nested(value: Json, depth: number, asList: boolean): Json {
  let inner = value
  for (let left = depth; left > 0; left--) inner = asList ? [inner] : { a: inner }
  return inner
}

const get = (parent: Container, key: string): Json => (parent as { [key: string]: Json })[key]!
const get2 = ({ parent, key }: Place): Json => get(parent, key)

/** As JSON.parse does it: `__proto__` becomes a key like any other. */
function set(parent: Container, key: string, value: Json): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true })
}

function remove(parent: Container, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}
