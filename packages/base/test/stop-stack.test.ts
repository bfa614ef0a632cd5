import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createStopStack, silentLogger } from '../src/index.ts'

test('parts stop in the reverse order of their start', async () => {
  const order: string[] = []
  const stack = createStopStack(silentLogger)
  for (const name of ['log', 'pipeline', 'web']) stack.push(name, () => void order.push(name))
  await stack.stopAll()
  assert.deepEqual(order, ['web', 'pipeline', 'log'])
})

test('a part that fails to stop does not keep the others running', async () => {
  const order: string[] = []
  const stack = createStopStack(silentLogger)
  stack.push('log', () => void order.push('log'))
  stack.push('web', () => Promise.reject(new Error('stuck')))
  await stack.stopAll()
  assert.deepEqual(order, ['log'])
})

test('asking twice stops once, and both callers wait for the end', async () => {
  let stops = 0
  const stack = createStopStack(silentLogger)
  stack.push('web', async () => {
    await turn()
    stops++
  })
  await Promise.all([stack.stopAll(), stack.stopAll()])
  assert.equal(stops, 1)
})
