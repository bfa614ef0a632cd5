/** Mappings as R8 writes them: classes, methods, lines and inlined calls. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDebugFile, readMapping, SymbolError } from '../src/index.ts'

const MAPPING = `# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.0"}
com.shop.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.kt"}
    int count -> a
    1:3:void add(com.shop.Item):10:12 -> a
    4:4:int com.shop.Item.price():40:40 -> a
    4:4:void add(com.shop.Item):14 -> a
    void clear() -> b
    5:9:void com.shop.Tax.apply(int):7 -> c
com.shop.MainActivity$onCreate$1 -> a.c:
    1:1:void invoke():22:22 -> a
com.shop.EmptyCart -> a.d:
`
const mapping = readMapping(Buffer.from(MAPPING))
const at = (module: string, method: string, line?: number) =>
  mapping.retrace(module, method, line).map((f) => `${f.module}.${f.function} ${f.file}:${f.line}`)

describe('a ProGuard mapping', () => {
  it('tells class, method, file and line', () => {
    assert.deepEqual(at('a.b', 'a', 2), ['com.shop.Cart.add Cart.kt:11'])
    assert.deepEqual(at('a.c', 'a', 1), ['com.shop.MainActivity$onCreate$1.invoke MainActivity.java:22'])
  })
  it('tells inlined calls, the innermost first', () => {
    assert.deepEqual(at('a.b', 'a', 4), ['com.shop.Item.price Item.java:40', 'com.shop.Cart.add Cart.kt:14'])
  })
  it('takes one line for a range that has one', () => {
    assert.deepEqual(at('a.b', 'c', 8), ['com.shop.Tax.apply Tax.java:7'])
  })
  it('names the method alone without a line', () => {
    assert.deepEqual(at('a.b', 'b'), ['com.shop.Cart.clear Cart.kt:undefined'])
    assert.deepEqual(at('a.b', 'kept', 7), ['com.shop.Cart.kept Cart.kt:7'])
    assert.deepEqual(at('x.y', 'a', 1), [])
  })
  it('tells classes of exceptions', () => assert.equal(mapping.className('a.d'), 'com.shop.EmptyCart'))
  it('has the id of its name, or of its bytes', () => {
    const id = '11111111-2222-4333-8444-555555555555'
    const named = readDebugFile(Buffer.from(MAPPING), { name: `/proguard/${id}.txt`, debugId: undefined })
    assert.equal(named[0]?.debugId, id)
    const plain = readDebugFile(Buffer.from(MAPPING), { name: 'mapping.txt', debugId: undefined })
    assert.match(plain[0]?.debugId ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/)
  })
  it('is refused where it names no class', () =>
    assert.throws(() => readMapping(Buffer.from('a -> b\n')), SymbolError))
})
