import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHostRule, type KnownHostsOptions } from '../../src/front/gate.ts'

type Rule = ReturnType<typeof createHostRule>
const rule = (options: Partial<KnownHostsOptions> = {}): Rule =>
  createHostRule({
    host: '127.0.0.1',
    allowedHosts: [],
    publicUrl: 'http://127.0.0.1:8600',
    isBehindProxy: false,
    ...options,
  })
const isRefused = (by: Rule, host: string | undefined): boolean =>
  by({ headers: host === undefined ? {} : { host } } as Parameters<Rule>[0])?.status === 421

const OWN = [
  'localhost',
  'LocalHost:8600',
  'localhost.',
  'sonde.localhost:8600',
  '127.0.0.1:8600',
  '127.0.0.1:9000',
  '192.168.1.5:8600',
  '[::1]:8600',
  '[fd00::5]',
]
const FOREIGN = [
  'evil.example',
  'evil.example:8600',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  'evillocalhost',
  '[::1].evil.example',
  '',
  undefined,
]

test('without a public address, only names that nobody can point elsewhere are known', () => {
  assert.deepEqual(
    OWN.filter((host) => isRefused(rule(), host)),
    [],
  )
  assert.deepEqual(
    FOREIGN.filter((host) => !isRefused(rule(), host)),
    [],
  )
})

test('HOST and the listed names are known, with any port and in any case', () => {
  const by = rule({ host: 'box.lan', allowedHosts: ['Sonde.Internal'] })
  assert.deepEqual(
    ['box.lan:8600', 'BOX.LAN', 'sonde.internal:443'].filter((host) => isRefused(by, host)),
    [],
  )
  assert.ok(isRefused(by, 'other.internal'))
})

test('with a public address nothing is taken from Host: every name passes, until some are listed', () => {
  const behind = { publicUrl: 'https://sonde.example.com', isBehindProxy: true } as const
  assert.ok(!isRefused(rule(behind), 'sonde:8600'))
  const listed = rule({ ...behind, allowedHosts: ['sonde.lan'] })
  assert.deepEqual(
    ['sonde.example.com', 'sonde.lan', 'sonde:8600'].map((host) => isRefused(listed, host)),
    [false, false, true],
  )
})
