import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findDeclaration, findText, type Source } from '@sonde/sourcemaps'

const source = (path: string | null, content: string | null): Source => ({ path, content, isIgnored: false })
const HERO = source('../src/home/hero.tsx', `import x from 'x'\n\nexport function Hero() {}\n`)
const OTHER = source('webpack://shop/./src/news/hero.tsx?1a', 'const Heroes = 1\nclass Banner {}\n')
const found = (sources: readonly Source[], name: string, file = '') => {
  const declaration = findDeclaration(sources, { name, file })
  return declaration && [declaration.source.path, declaration.line]
}

describe('a declaration', () => {
  it('is found by its text, and in the file that is named', () => {
    assert.deepEqual(found([HERO, OTHER], 'Hero'), [HERO.path, 2])
    assert.deepEqual(found([HERO, OTHER], 'Hero', 'hero.tsx'), [HERO.path, 2])
    assert.deepEqual(found([HERO, OTHER], 'Banner'), [OTHER.path, 1])
    assert.equal(found([HERO, OTHER], 'Hero', 'cart.tsx'), undefined)
  })

  it('is in the only file of that name, also where its text is not there', () => {
    const [silent, nameless] = [source('src/home/hero.tsx', null), source(null, 'function Hero() {}')]
    assert.deepEqual(found([silent, nameless], 'Hero', 'hero.tsx'), [silent.path, undefined])
    assert.deepEqual(found([HERO], 'Slot', 'hero.tsx'), [HERO.path, undefined])
    assert.equal(found([silent, nameless], 'Hero'), undefined)
  })

  it('is nowhere when several may be it, or the name is none', () => {
    assert.equal(found([HERO, { ...HERO, path: 'src/copy.tsx' }], 'Hero'), undefined)
    assert.equal(found([HERO, OTHER], 'Slot', 'hero.tsx'), undefined)
    for (const name of ['', 'a.b', 'Hero)|(x', 'x'.repeat(200), '\\w+'])
      assert.equal(found([HERO], name), undefined)
  })

  it('of a text of megabytes is looked for in linear time', () => {
    const long = source('src/long.ts', 'const '.repeat(500_000) + 'function '.repeat(100_000))
    const startMs = performance.now()
    assert.equal(found([long], 'Hero'), undefined)
    assert.ok(performance.now() - startMs < 2000)
  })
})

describe('a text in a style sheet', () => {
  const home = source('../src/home.css', `.a {}\n.hero {\n  background: url("../img/hero.jpg");\n}\n`)
  const cart = source('../src/cart.css', `.b { background: url(superhero.jpg) }`)
  const named = (sources: readonly Source[], text: string) => {
    const one = findText(sources, text)
    return one && [one.source.path, one.line]
  }

  it('is found in the one source that names it', () => {
    assert.deepEqual(named([home, cart], 'hero.jpg'), [home.path, 2])
    assert.deepEqual(named([home, cart], 'superhero.jpg'), [cart.path, 0])
    assert.equal(named([home, cart, { ...home, path: 'copy.css' }], 'hero.jpg'), undefined)
    assert.equal(named([home, cart], 'tea.jpg'), undefined)
  })

  it('without one it is the only source, if there is only one', () => {
    assert.equal(named([home, cart], ''), undefined)
    assert.deepEqual(named([home], ''), [home.path, 0])
    assert.deepEqual(named([{ ...home, content: null }], 'hero.jpg'), [home.path, 0])
  })

  it('of a text of megabytes is looked for in linear time', () => {
    const startMs = performance.now()
    assert.equal(named([source('a.css', 'xa'.repeat(2_000_000)), cart], 'a'), undefined)
    assert.ok(performance.now() - startMs < 2000)
  })
})
