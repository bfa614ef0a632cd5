import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindParameters } from '../../src/telemetry/bind-parameters.ts'

test('a value can neither end its quotes nor be read as SQL', () => {
  assert.equal(bindParameters('{a:String}', { a: "x'\\\0" }), "CAST('x\\'\\\\\\0', 'String')")
  assert.equal(
    bindParameters('{a:Array(String)}', { a: ["'", 'b'] }),
    "CAST('[\\'\\\\\\'\\',\\'b\\']', 'Array(String)')",
  )
})

test('a value that looks like a placeholder is not replaced again', () => {
  assert.equal(
    bindParameters('{a:String} {b:String}', { a: '{b:String}', b: 'x' }),
    "CAST('{b:String}', 'String') CAST('x', 'String')",
  )
})

test('times before 2001 are padded, so that they are not read as a calendar date', () => {
  assert.match(bindParameters('{a:DateTime64(3)}', { a: 5 }), /'0000000000\.005'/)
  assert.match(bindParameters('{a:DateTime64(3)}', { a: -5 }), /'0000000000\.000'/)
})

test('names on the prototype and values that have no text form are refused', () => {
  assert.throws(() => bindParameters('{constructor:String}', {}), /no value was given/)
  assert.throws(() => bindParameters('{a:UInt8}', { a: Number.NaN }), /cannot be sent/)
  assert.throws(() => bindParameters('{a:String}', { a: {} }), /cannot be sent/)
  assert.throws(() => bindParameters('{a:String}', { a: ['x'] }), /a list was given for String/)
})
