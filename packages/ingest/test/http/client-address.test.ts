import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createProxyTrust, type TrustProxy } from '../../src/http/client-address.ts'

// Only these two are read; a real socket cannot come from another address than this machine's.
const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

type Row = readonly [
  name: string,
  trust: TrustProxy,
  peer: string,
  forwarded: string | undefined,
  expected: string,
]
const TABLE: readonly Row[] = [
  ['nobody is trusted by default', 0, '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['an address of a dual-stack socket is written as IPv4', 0, '::ffff:10.0.0.1', undefined, '10.0.0.1'],
  [
    'one proxy: what it appended counts, not what the client wrote',
    1,
    '10.0.0.1',
    '6.6.6.6, 1.2.3.4',
    '1.2.3.4',
  ],
  ['two proxies: the entry before the last', 2, '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.9', '1.2.3.4'],
  ['more proxies than entries: the first of them', 3, '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['one proxy that says nothing', 1, '10.0.0.1', undefined, '10.0.0.1'],
  ['one proxy whose entry is no address', 1, '10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
  ['a trusted proxy is believed', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['another peer is not', ['10.0.0.0/8'], '11.0.0.1', '1.2.3.4', '11.0.0.1'],
  ['what a client wrote itself is not believed', ['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  ['proxies behind proxies are passed over', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 10.0.0.9', '1.2.3.4'],
  ['no header: the proxy itself', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
  ['an entry that is no address ends the walk', ['10.0.0.1'], '10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
  ['ports are cut', ['10.0.0.1'], '10.0.0.1', '1.2.3.4:5678', '1.2.3.4'],
  ['IPv6 with brackets and port', ['fd00::/8'], 'fd00::1', '[2001:db8::1]:443', '2001:db8::1'],
]

for (const [name, trust, peer, forwarded, expected] of TABLE)
  test(name, () => assert.equal(createProxyTrust(trust).clientAddress(from(peer, forwarded)), expected))

test('an entry that is neither address nor range stops the start', () => {
  for (const bad of ['localhost', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/', '10.0.0.0/8/8', ''])
    assert.throws(() => createProxyTrust([bad]), { name: 'ConfigError' })
})
