/** The same functions as a parser finds, in code that people and tools have written. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Node, parse } from 'acorn'
import fc from 'fast-check'
import { findFunctions } from '../../src/functions/find-functions.ts'

const require = createRequire(import.meta.url)
const MODULES = [
  'axe-core/axe.min.js',
  'uplot/dist/uPlot.iife.min.js',
  'react-dom/cjs/react-dom-client.production.js',
  'acorn/dist/acorn.mjs',
  'kysely/dist/esm/kysely.js',
]
/** Of a package whatever its `exports` allow. */
const fileOf = (path: string): string => {
  const [name = ''] = path.split('/')
  const folder = require.resolve.paths(name)?.find((each) => {
    try {
      return readFileSync(join(each, path)).length > 0
    } catch {
      return false
    }
  })
  assert.ok(folder, path)
  return readFileSync(join(folder, path), 'utf8')
}

type Tree = Node & { readonly [key: string]: unknown }
const isNode = (value: unknown): value is Tree => typeof (value as Tree | null)?.type === 'string'

/** The ends of all functions, in order. */
function endsByParser(code: string): number[] {
  const ends: number[] = []
  const walk = (node: Tree): void => {
    if (/Function/.test(node.type)) ends.push(node.end)
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) value.filter(isNode).forEach(walk)
      else if (isNode(value)) walk(value)
    }
  }
  const options = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true } as const
  try {
    walk(parse(code, { ...options, sourceType: 'module' }) as unknown as Tree)
  } catch {
    walk(parse(code, options) as unknown as Tree)
  }
  return ends.toSorted((a, b) => a - b)
}
const ends = (code: string): number[] =>
  findFunctions(code)
    .map(({ end }) => end)
    .toSorted((a, b) => a - b)

describe('functions are found where a parser finds them', () => {
  for (const path of MODULES)
    it(path, () => {
      const code = fileOf(path)
      assert.deepEqual(ends(code), endsByParser(code))
    })

  const FORMS = [
    'function a(){} function* b(){} async function c(){} var d=function(){},e=async function f(){};',
    'const a=()=>1,b=x=>x,c=async x=>{},d=async(x)=>({}),e=(x=()=>2)=>x;',
    'class A{constructor(){} static #p(){} get x(){} set x(v){} async*[k](){} "s"(){} 1(){} f=()=>{};static{a(()=>1)}}',
    'var o={delete(k){},if(x){},get(){},get g(){},async a(){},*b(){},[c](){},d:function(){},e:()=>1,f:x=>x?1:2};',
    'a?b=>c:d;a?(b=>c):d;x=>a?b:c;a?x=>b?c:d:e;f(a?b:c=>d,1);({a:b?c=>d:e});',
    'lbl:{if(a){b()}while(c){}} switch(x){case 1:{if(a){}}default:{for(;;){}}}',
    'if(a)/b{/.test(c);a=b/c/d;x=y?/[/{]/g:/=/;(a)/b;a[0]/b;`${a}`/b;{}/{/.exec(a)',
    'var t=`a${b=>`c${()=>1}d`}e${function(){return`}`}}`;`{`;"{";\'}\';/*{*/ //}\n',
    'for await(const a of b){} do{}while(a);try{}catch(e){}finally{}',
    'with(a){b(()=>1)}',
    'a.function(b);a.class={};x={class:1,function:2};a?.if(b);a??(()=>1);a??=()=>2;1..toFixed();.5.a(()=>1)',
    'new class extends (class{a(){}}){b(){}};export default function(){}',
    'return a=>b',
  ]
  for (const code of FORMS) it(code, () => assert.deepEqual(ends(code), endsByParser(code)))
})

it('names stand where people would look for them', () => {
  const names = (code: string): string[] =>
    findFunctions(code).map(({ nameStart, nameEnd }) =>
      nameStart === -1 ? '' : code.slice(nameStart, nameEnd),
    )
  assert.deepEqual(names('function a(){}'), ['a'])
  assert.deepEqual(names('const a=function(){},b=()=>{},c=async()=>1,d=async x=>x'), ['a', 'b', 'c', 'd'])
  assert.deepEqual(names('o={a(){},b:function(){},c:()=>1,async d(){},get e(){}}'), ['a', 'b', 'c', 'd', 'e'])
  assert.deepEqual(names('class A{a(){}#b(){}static c(){}d=()=>1}'), ['a', '#b', 'c', 'd'])
  assert.deepEqual(names('x.y.z=function(){};a.b=()=>{}'), ['z', 'b'])
  assert.deepEqual(names('f(function(){},()=>1);(()=>2)();["a"](()=>3)'), ['', '', '', ''])
  assert.deepEqual(names('var a=function b(){}'), ['b'])
})

it('nothing is thrown and the time is bounded, whatever the text is', () => {
  const part = fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '`',
    '${',
    '=>',
    '=',
    '?',
    ':',
    ';',
    ',',
    '/',
    '"',
    "'",
    '\\',
    '\n',
    'a',
    'class',
    'function',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const code = parts.join('')
      for (const { start, end } of findFunctions(code))
        assert.ok(start >= 0 && start <= end && end <= code.length)
    }),
    { numRuns: 2000 },
  )
  assert.equal(findFunctions('('.repeat(1_000_000)).length, 0)
  assert.deepEqual(findFunctions('x=>'.repeat(300_000) + ':'.repeat(300_000)), [])
  assert.equal(findFunctions('x=>'.repeat(9_000) + '1').length, 9_000)
  // Each of these a walk over all that is open would take minutes.
  for (const [open, close] of [
    ['x=>', ':'],
    ['x=>', ','],
    ['?', '}'],
    ['a?b=>', ':'],
    ['`${', 'a=>a?b}'],
    ['(', '=>'],
    ['class{', '}'],
  ] as const)
    findFunctions(open.repeat(9_000) + close.repeat(500_000))
  assert.equal(findFunctions('x=>'.repeat(9_000) + ':'.repeat(500_000)).length, 9_000)
})

it('an arrow ends before the colon of its case', () => {
  const code = 'switch(a){case b=>c:d()}'
  assert.deepEqual(
    findFunctions(code).map(({ start, end }) => code.slice(start, end)),
    ['b=>c'],
  )
})
