/**
 * A small application that fails in many ways, so that an SDK has something real to report: different types, stacks,
 * depths, messages, causes, people and requests. Seeded: each run makes the same failures.
 */

export type Random = () => number

/** https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32, public domain. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T
export const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')

class PaymentError extends Error {
  override name = 'PaymentError'
}
class StockError extends Error {
  override name = 'StockError'
}
class UpstreamTimeout extends Error {
  override name = 'UpstreamTimeout'
}

function chargeCard(random: Random): never {
  const card = `tok_${hex(random, 20)}`
  throw new PaymentError(`charge of ${Math.floor(random() * 90_000) / 100} EUR was declined for ${card}`)
}
function reserveStock(random: Random): never {
  throw new StockError(
    `warehouse ${pick(random, ['AMS', 'BER', 'LYS', 'WAW'])} has no SKU-${Math.floor(random() * 1e6)}`,
  )
}
function readProfile(random: Random): unknown {
  const profiles: { settings: { locale: string } }[] = []
  return profiles[Math.floor(random() * 100)]?.settings.locale.split('-')[0] ?? renderMissing()
}
function renderMissing(): never {
  const view = undefined as unknown as { template: { render(): string } }
  throw new TypeError('the view has no template', { cause: view?.template })
}
function parseCart(random: Random): unknown {
  return JSON.parse(`{"cart":"${hex(random, 24)}","lines":[${Math.floor(random() * 50)},]}`)
}
function fetchRates(random: Random): never {
  const host = `rates-${Math.floor(random() * 20)}.internal`
  throw new UpstreamTimeout(`GET https://${host}/v2/rates?at=${hex(random, 12)} took longer than 3000 ms`)
}
function lookUpCoupon(random: Random): unknown {
  const coupons = new Map<string, { percent: number }>()
  return (coupons.get(hex(random, 8)) as { percent: number }).percent
}

const STEPS = [chargeCard, reserveStock, readProfile, parseCart, fetchRates, lookUpCoupon]

function applyRules(random: Random, depth: number): unknown {
  if (depth > 0) return applyRules(random, depth - 1)
  return pick(random, STEPS)(random)
}
function priceOrder(random: Random): unknown {
  return applyRules(random, Math.floor(random() * 4))
}
function submitOrder(random: Random): unknown {
  try {
    return priceOrder(random)
  } catch (error) {
    throw new Error(`order ${hex(random, 10)} could not be submitted`, { cause: error })
  }
}
function syncInventory(random: Random): unknown {
  return [1, 2, 3].map(() => reserveStock(random))
}

/** Runs one request of the application; returns what it threw. */
export function failOnce(random: Random): unknown {
  try {
    pick(random, [priceOrder, submitOrder, syncInventory, (again: Random) => pick(again, STEPS)(again)])(
      random,
    )
  } catch (error) {
    return error
  }
  return new Error('nothing failed')
}
