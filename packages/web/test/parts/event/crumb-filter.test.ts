import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Breadcrumb } from '@sonde/protocol/event'
import {
  crumbCategories,
  crumbLevels,
  filterCrumbs,
  NO_CRUMB_FILTER,
} from '../../../src/parts/event/breadcrumbs-section.tsx'

const CRUMBS: readonly Breadcrumb[] = [
  { type: 'default', category: 'console', level: 'warning', message: 'Coupon has no currency' },
  { type: 'http', category: 'fetch', level: 'info', data: { url: '/api/cart', status_code: 200 } },
  { type: 'http', category: 'fetch', level: 'error', data: { url: '/api/pay' } },
  { type: 'query', level: 'debug', message: 'SELECT 1' },
]
const texts = (filter: Partial<typeof NO_CRUMB_FILTER>) =>
  filterCrumbs(CRUMBS, { ...NO_CRUMB_FILTER, ...filter }).map((crumb) => CRUMBS.indexOf(crumb))

test('text is found in message, data and category, in any case', () => {
  assert.deepEqual(texts({ text: 'COUPON' }), [0])
  assert.deepEqual(texts({ text: '/api/' }), [1, 2])
  assert.deepEqual(texts({ text: 'console' }), [0])
  assert.deepEqual(texts({}), [0, 1, 2, 3])
})

test('a category, a least level and a text all hold', () => {
  assert.deepEqual(texts({ category: 'fetch' }), [1, 2])
  assert.deepEqual(texts({ level: 'warning' }), [0, 2])
  assert.deepEqual(texts({ category: 'query', level: 'info' }), [])
})

test('choices are those that are there', () => {
  assert.deepEqual(crumbCategories(CRUMBS)[0], ['fetch', 2])
  assert.deepEqual(crumbLevels(CRUMBS), ['debug', 'info', 'warning', 'error'])
})
