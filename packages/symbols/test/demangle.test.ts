/** Names of C++ and Rust as people write them; what is none stays, and what is hostile ends soon. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { demangle } from '../src/index.ts'

describe('demangling', () => {
  it('reads C++, with and without the underscore of Apple’s compilers', () => {
    assert.equal(demangle('_ZNK4shop4Cart8checkoutEv'), 'shop::Cart::checkout() const')
    assert.equal(demangle('__ZN4shop5totalEPKNS_4ItemEi'), 'shop::total(shop::Item const*, int)')
    assert.equal(demangle('_Z1fI1gEvv.constprop.0'), 'f<g>() [clone .constprop.0]')
  })
  it('reads both forms of Rust, without the hash', () => {
    assert.equal(demangle('_ZN4core3fmt9Formatter3pad17h05af221e174051e9E'), 'core::fmt::Formatter::pad')
    assert.equal(
      demangle('_RNvXs5_NtCsg_5alloc6stringNtB5_6StringNtNtCs_4core3fmt7Display3fmt'),
      '<alloc::string::String as core::fmt::Display>::fmt',
    )
  })
  it('leaves names that are none of these, broken ones and endless ones', () => {
    for (const name of ['main', '', '?foo@@YAXXZ', '$s4main3fooyyF', `_Z1${'a'.repeat(9_000)}`])
      assert.equal(demangle(name), name)
  })
  it('is not made to write a name of a gigabyte', () => {
    const base36 = (at: number): string => at.toString(36).toUpperCase()
    let name = '_Z1f1AIiiE'
    for (let at = 0; at < 200; at++) {
      const before = `S${at === 0 ? '' : base36(at - 1)}_`
      name += `1AI${before}${before}E`
    }
    const startedMs = performance.now()
    assert.ok(demangle(name).length <= 4_096)
    assert.ok(performance.now() - startedMs < 2_000)
    assert.equal(demangle('_Z3foov'), 'foo()')
  })
})
