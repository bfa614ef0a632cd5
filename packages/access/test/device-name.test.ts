import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName } from '@sonde/access/device-name'

const NAMES: Readonly<Record<string, string | undefined>> = {
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0':
    'Firefox 140 on Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15':
    'Safari 18 on macOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1':
    'Safari 18 on iPhone',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1':
    'Chrome 138 on iPhone',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0':
    'Edge 138 on Windows',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36':
    'Samsung Internet 28 on Android',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36':
    'Chrome 138 on Linux',
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36':
    'Chrome 138 on ChromeOS',
  'curl/8.14.1': 'curl 8',
  'Mozilla/5.0 (X11; Linux x86_64) Something/1.0': 'A browser on Linux',
  node: undefined,
  '': undefined,
}

for (const [userAgent, name] of Object.entries(NAMES)) {
  test(`${name ?? 'no name'}: ${userAgent.slice(0, 60)}`, () => {
    assert.equal(deviceName(userAgent), name)
  })
}
