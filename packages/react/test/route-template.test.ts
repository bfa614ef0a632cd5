import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { templateOfDollarPath, templateOfParams, templateOfPaths } from '../src/route-template.ts'

describe('route templates', () => {
  const paths: [readonly (string | undefined)[], string | undefined][] = [
    [['/', 'orders', ':id'], '/orders/[id]'],
    [['/', undefined, 'orders/:orderId/items/:itemId'], '/orders/[orderId]/items/[itemId]'],
    [['/', undefined], '/'],
    [[undefined, undefined], undefined],
    [['/', '/shop/:lang?/cart'], '/shop/[[lang]]/cart'],
    [['/files', '*'], '/files/[...]'],
    [['/', ':name.json'], '/[name].json'],
  ]
  for (const [given, wanted] of paths)
    it(`writes react-router's ${JSON.stringify(given)} as ${wanted}`, () => {
      assert.equal(templateOfPaths(given), wanted)
    })

  const dollars: [string, string][] = [
    ['/orders/$id', '/orders/[id]'],
    ['/orders/$id/', '/orders/[id]'],
    ['/', '/'],
    ['/files/$', '/files/[...]'],
    ['/{-$lang}/about', '/[[lang]]/about'],
    ['/report-{$id}.pdf', '/report-[id].pdf'],
  ]
  for (const [given, wanted] of dollars)
    it(`writes TanStack Router's ${given} as ${wanted}`, () => {
      assert.equal(templateOfDollarPath(given), wanted)
    })

  const params: [string, Parameters<typeof templateOfParams>[1], string][] = [
    ['/acme/orders/7', { org: 'acme', id: '7' }, '/[org]/orders/[id]'],
    ['/docs/a/b/c', { path: ['a', 'b', 'c'] }, '/docs/[...path]'],
    ['/7/7', { org: '7', id: '7' }, '/[org]/[id]'],
    ['/caf%C3%A9/x', { name: 'café' }, '/[name]/x'],
    ['/caf%C3%A9/x', { name: 'caf%C3%A9' }, '/[name]/x'],
    ['/about', {}, '/about'],
    ['/', {}, '/'],
    ['/100%', { broken: '100%' }, '/[broken]'],
    ['/docs', { path: undefined }, '/docs'],
  ]
  for (const [path, given, wanted] of params)
    it(`writes Next.js's ${path} with ${JSON.stringify(given)} as ${wanted}`, () => {
      assert.equal(templateOfParams(path, given), wanted)
    })
})
