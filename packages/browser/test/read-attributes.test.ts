import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAttributes } from '../src/script/read-attributes.ts'

const dsn = 'https://0123456789abcdef0123456789abcdef@sonde.example/1'

test('a tag with a DSN alone asks for every page load', () => {
  assert.deepEqual(readAttributes({ dsn }), { dsn, tracesSampleRate: 1 })
})

test('texts, numbers, lists and ticks are read as what they are', () => {
  assert.deepEqual(
    readAttributes({
      dsn,
      tunnel: '/m',
      release: 'shop@1.2',
      environment: 'production',
      sampleRate: '0.5',
      tracesSampleRate: '0',
      propagateTraceparent: '',
      sendIp: 'false',
      tracePropagationTargets: '/api, https://api.example ,',
      ignoreErrors: 'ResizeObserver loop',
    }),
    {
      dsn,
      tunnel: '/m',
      release: 'shop@1.2',
      environment: 'production',
      sampleRate: 0.5,
      tracesSampleRate: 0,
      propagateTraceparent: true,
      sendIp: false,
      tracePropagationTargets: ['/api', 'https://api.example'],
      ignoreErrors: ['ResizeObserver loop'],
    },
  )
})

test('data-tunnel without a value means the usual path', () => {
  assert.equal(readAttributes({ dsn, tunnel: '' }).tunnel, '/monitoring')
})

test('a rate that is none, or out of range, is as if it were not there', () => {
  for (const rate of ['half', '-1', '2', 'NaN', ' '])
    assert.deepEqual(readAttributes({ dsn, sampleRate: rate, tracesSampleRate: rate }), {
      dsn,
      tracesSampleRate: 1,
    })
})
