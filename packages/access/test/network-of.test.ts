import assert from 'node:assert/strict'
import { it } from 'node:test'
import { networkOf } from '../src/auth/try-limit.ts'

const CASES = [
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
  ['not an address', undefined],
  ['', undefined],
  ['%', undefined],
  ['[::1]', undefined],
] as const

for (const [address, network] of CASES) {
  it(`${address || 'nothing'} counts as ${network ?? 'no network'}`, () => {
    assert.equal(networkOf(address), network)
  })
}

it('51 addresses of one /64 are one network, the next /64 is another', () => {
  const networks = new Set(
    Array.from({ length: 51 }, (_, host) => networkOf(`2001:db8::${host.toString(16)}`)),
  )
  assert.equal(networks.size, 1)
  assert.ok(!networks.has(networkOf('2001:db8:0:1::1')))
})
