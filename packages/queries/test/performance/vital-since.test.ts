import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resourceName } from '../../src/performance/vital-causes-ranked.ts'
import { sinceRelease } from '../../src/performance/vital-since.ts'

const of = (...means: readonly (readonly [mean: number, samples?: number])[]) =>
  sinceRelease(means.map(([mean, samples = 100], at) => ({ release: `4.${at}`, mean, samples })))

describe('since which release', () => {
  it('is where the mean stepped up, whatever a small release between says', () => {
    assert.deepEqual(of([0], [0], [200], [180]), { release: '4.2', before: 0, after: 190 })
    assert.equal(of([20], [20], [900, 5], [21], [60])?.release, '4.4')
    assert.equal(of([20], [25], [24]), undefined)
  })

  it('is not told without a release before, of what became less, and of what is nothing', () => {
    assert.equal(of([200]), undefined)
    assert.equal(of([200, 3], [200]), undefined)
    assert.equal(of([200], [20]), undefined)
    assert.equal(of([0], [0]), undefined)
    assert.equal(of(), undefined)
  })
})

it('the name of a picture is without host, query and the letters of its build', () => {
  const names = [
    ['https://cdn.example/a/hero-BxY3kQ9z.jpg?v=2', 'hero.jpg'],
    ['/static/media/hero.0a1b2c3d4e5f.webp', 'hero.webp'],
    ['/img/summer-sale.png', 'summer-sale.png'],
    ['/_next/image?url=%2Fimg%2Fhero.jpg&w=640&q=75', 'hero.jpg'],
    ['data:image/png;base64,AAAA', ''],
    ['', ''],
  ] as const
  for (const [address, name] of names) assert.equal(resourceName(address), name, address)
})
