import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SamplingRule } from '@sonde/stores'
import { findRule } from '../../src/spans/sample-spans.ts'

const rule = (fields: Partial<SamplingRule>): SamplingRule => ({
  route: '',
  op: '',
  release: '',
  environment: '',
  rate: 0.5,
  ...fields,
})
const ROOT = { route: '/health/live', op: 'http.server', release: 'shop@1.4', environment: 'production' }
const nameOf = (...rules: SamplingRule[]) => findRule(rules, ROOT)?.name

test('the first rule that matches decides', () => {
  assert.equal(nameOf(rule({ route: '/cart' }), rule({ route: '/health*' }), rule({})), '/health*')
  assert.equal(nameOf(rule({}), rule({ route: '/health*' })), 'everything')
  assert.equal(nameOf(rule({ route: '/cart' })), undefined)
  assert.equal(nameOf(), undefined)
})

test('every pattern of a rule has to match, and an empty one matches everything', () => {
  const own = { route: '/health*', op: 'http.*', release: 'shop@1.*', environment: 'production' }
  assert.ok(nameOf(rule(own)))
  for (const field of ['route', 'op', 'release', 'environment'] as const)
    assert.equal(nameOf(rule({ ...own, [field]: 'other' })), undefined, field)
})

test('a pattern stands for the whole text, whatever its case', () => {
  assert.equal(nameOf(rule({ route: '/health' })), undefined)
  assert.equal(nameOf(rule({ route: '/HEALTH/*' })), '/HEALTH/*')
})
