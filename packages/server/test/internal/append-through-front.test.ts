import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { appendThroughFront, rollThroughFront } from '../../src/internal/append-through-front.ts'

function channelOf() {
  const sent: { kind: string; id: number }[] = []
  const channel = Object.assign(new EventEmitter(), {
    connected: true,
    send: (message: { kind: string; id: number }) => sent.push(message) > 0,
  })
  return { channel: channel as unknown as NodeJS.Process, sent, emitter: channel }
}

const gone = { kind: 'unavailable', message: 'the front process is gone' }

test('each answer goes to the question of its number and kind', async () => {
  const { channel, sent, emitter } = channelOf()
  const [append, roll] = [appendThroughFront(channel), rollThroughFront(channel)]
  const [first, second, rolled] = [append(Buffer.from('a')), append(Buffer.from('b')), roll()]
  assert.deepEqual(
    sent.map(({ kind, id }) => `${kind} ${id}`),
    ['append 1', 'append 2', 'roll 1'],
  )
  emitter.emit('message', { kind: 'appended', id: 2, error: 'the disk is full' })
  emitter.emit('message', { kind: 'rolled', id: 1, from: 7, error: undefined })
  emitter.emit('message', { kind: 'appended', id: 1, error: undefined })
  assert.equal(await first, undefined)
  await assert.rejects(second, { kind: 'unavailable', message: 'the disk is full' })
  assert.equal(await rolled, 7)
})

test('a front that dies leaves nobody waiting, so that its back can end', async () => {
  const { channel, emitter } = channelOf()
  const [append, roll] = [appendThroughFront(channel), rollThroughFront(channel)]
  const waiting = [append(Buffer.from('a')), roll()]
  emitter.connected = false
  emitter.emit('disconnect')
  for (const one of waiting) await assert.rejects(one, gone)
  await assert.rejects(append(Buffer.from('b')), gone)
})
