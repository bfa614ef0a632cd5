import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalBus, silentLogger } from '@sonde/base'

const heard = async () => new Promise((resolve) => setImmediate(resolve))

describe('a message on the bus', () => {
  it('reaches every subscriber of its topic once, in order, after publish returned', async () => {
    const bus = createLocalBus(silentLogger)
    const got: string[] = []
    bus.subscribe('job.wake', ({ job }) => got.push(`a ${job}`))
    bus.subscribe('job.wake', ({ job }) => got.push(`b ${job}`))
    bus.subscribe('setting.changed', ({ name }) => got.push(name))
    bus.publish('job.wake', { job: 'one' })
    bus.publish('job.wake', { job: 'two' })
    assert.deepEqual(got, [])
    await heard()
    assert.deepEqual(got, ['a one', 'b one', 'a two', 'b two'])
  })

  it('reaches the others when one listener throws, and nobody who unsubscribed', async () => {
    const bus = createLocalBus(silentLogger)
    const got: string[] = []
    bus.subscribe('job.wake', () => {
      throw new Error('no')
    })
    const stop = bus.subscribe('job.wake', () => got.push('gone'))
    bus.subscribe('job.wake', () => got.push('there'))
    bus.publish('job.wake', { job: 'one' })
    stop()
    stop()
    await heard()
    assert.deepEqual(got, ['there'])
  })

  it('that nobody hears is lost', () => {
    createLocalBus(silentLogger).publish('job.wake', { job: 'one' })
  })
})
