/** Code is bundled and minified by a real bundler and thrown in; its frames get the names of the source back. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import vm from 'node:vm'
import { rolldown } from 'rolldown'
import { createFunctionIndex, functionName, readSourceMap, sourceName } from '../../src/index.ts'

const SOURCE = `
type Item = { price: number }
class Cart {
  items: Item[] = []
  #sum(items: Item[]): number {
    return items.map((item) => priceOf(item)).reduce((a, b) => a + b, 0)
  }
  get total(): number { return this.#sum(this.items) }
  checkout = (): number => this.total
}
const priceOf = (item: Item): number => {
  if (item.price < 0) throw new Error('a price below zero')
  return item.price
}
const handlers = {
  async submit(cart: Cart) { return cart.checkout() },
}
export default function buyEverything(prices: number[]) {
  const shoppingCart = new Cart()
  shoppingCart.items = prices.map((price) => ({ price }))
  return handlers.submit(shoppingCart)
}
`
let dir = ''

describe('function name', () => {
  before(() => void (dir = mkdtempSync(join(tmpdir(), 'sonde-functions-'))))

  after(() => rmSync(dir, { recursive: true }))

  it('every frame of an error in minified code has its name, file and line', async () => {
    const file = join(dir, 'cart.ts')
    writeFileSync(file, SOURCE)
    const bundle = await rolldown({ input: file, cwd: dir })
    const { output } = await bundle.generate({ format: 'iife', name: 'buy', minify: true, sourcemap: true })
    const { code, map: written } = output[0]
    assert.ok(written && !code.includes('priceOf'), 'it was minified')
    const map = readSourceMap(new TextEncoder().encode(JSON.stringify(written)))
    const index = createFunctionIndex(code)

    const sandbox: { buy?: (prices: number[]) => Promise<number> } = {}
    vm.runInNewContext(`${code}\nthis.buy=buy`, sandbox, { filename: 'app.js' })
    const error: unknown = await sandbox.buy?.([1, -1]).catch((thrown: unknown) => thrown)
    const frames = [...String((error as Error).stack).matchAll(/app\.js:(\d+):(\d+)/g)].map(
      ([, line, column]) => {
        const place = [Number(line) - 1, Number(column) - 1] as const
        const position = map.lookUp(...place)
        assert.equal(sourceName(position?.source.path ?? null), 'cart.ts')
        return [functionName(map, index, ...place), SOURCE.split('\n')[position?.line ?? -1]?.trim()]
      },
    )
    const lineWith = (text: string): string | undefined =>
      SOURCE.split('\n')
        .find((line) => line.includes(text))
        ?.trim()
    assert.deepEqual(frames.slice(0, 7), [
      ['priceOf', lineWith('throw new Error')],
      [null, lineWith('items.map((item)')],
      ['#sum', lineWith('items.map((item)')],
      ['total', lineWith('get total')],
      ['checkout', lineWith('checkout =')],
      ['submit', lineWith('async submit')],
      ['buyEverything', lineWith('return handlers.submit')],
    ])
  })

  it('a function that was put where it is called has the name of its declaration', () => {
    // What Next.js 16 wrote: SWC leaves `function(a,b){…}(c,d)` of functions that are called in one place.
    const { code, map: written } = JSON.parse(
      readFileSync(join(import.meta.dirname, 'next-inlined.json'), 'utf8'),
    ) as { code: string; map: unknown }
    const map = readSourceMap(new TextEncoder().encode(JSON.stringify(written)))
    const index = createFunctionIndex(code)
    const lines = code.split('\n')
    const nameAt = (words: string): string | null | undefined => {
      const line = lines.findIndex((text) => text.includes(words))
      return functionName(map, index, line, lines[line]?.indexOf(words) ?? -1)
    }
    assert.equal(nameAt('RangeError('), 'applyCoupon')
    assert.equal(nameAt('c+=function'), 'totalOf')
    assert.equal(nameAt('f(function'), 'pay')
  })

  it('a call of a function that stands there is where the function begins', () => {
    const { calledAt } = createFunctionIndex('c+=function(a){return b(function(){})}(d);e(f)')
    assert.deepEqual(calledAt(0, 38), { line: 0, column: 3 })
    assert.equal(calledAt(0, 36), undefined)
    assert.equal(calledAt(0, 24), undefined)
    assert.equal(calledAt(0, 43), undefined)
  })

  it('what is assigned is not called like the function that makes it', () => {
    const { around } = createFunctionIndex(
      'return{shelf:function(e){throw e}(sku),kept:function(e){throw e}}',
    )
    assert.equal(around(0, 25)?.name, undefined)
    assert.equal(around(0, 55)?.name?.text, 'kept')
  })
})
