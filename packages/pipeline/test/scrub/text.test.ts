import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SCRUB_SETTINGS } from '../../src/scrub/index.ts'
import { scrubText } from '../../src/scrub/scrub-text.ts'
import { createKeyRules } from '../../src/scrub/settings.ts'

const rules = createKeyRules(DEFAULT_SCRUB_SETTINGS)
const scrub = (text: string) => scrubText(text, rules)?.text ?? text
const F = '[Filtered]'

test('secrets are found in text by their name', () => {
  const cases: [string, string][] = [
    ['https://a.example/p?token=abc&x=1', `https://a.example/p?token=${F}&x=1`],
    ['/cb#access_token=abc&state=1', `/cb#access_token=${F}&state=1`],
    ['user[password]=hunter2&user[name]=bo', `user[password]=${F}&user[name]=bo`],
    ['a=1&pass%77ord=x', `a=1&pass%77ord=${F}`],
    ['{"password":"a\\"b","n":1}', `{"password":"${F}","n":1}`],
    ['{"password": "cut off he', `{"password": "${F}`],
    ['{"pin_token": 1234, "n": 1}', `{"pin_token": ${F}, "n": 1}`],
    ['{"credentials": {"a": ["b"]}, "n": 1}', `{"credentials": ${F}, "n": 1}`],
    ['"{\\"password\\":\\"abc\\",\\"n\\":1}"', `"{\\"password\\":\\"${F}\\",\\"n\\":1}"`],
    ["{'password': 'abc', 'n': 1}", `{'password': '${F}', 'n': 1}`],
    ["login failed for password='abc def' at", `login failed for password='${F}' at`],
    ['GET / Authorization: Basic dXNlcjpwYXNz\nHost: x', `GET / Authorization: ${F}\nHost: x`],
    ["curl -H 'X-Api-Key: 123abc' x", `curl -H 'X-Api-Key: ${F}' x`],
    ['{"has_password": true, "token": null}', '{"has_password": true, "token": null}'],
    ['max_tokens=4096', 'max_tokens=4096'],
    ['tokens=abc', `tokens=${F}`],
  ]
  for (const [text, expected] of cases) assert.equal(scrub(text), expected)
})

test('secrets are found in text by their shape', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAAAA\n-----END RSA PRIVATE KEY-----'
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4'
  const cases: [string, string][] = [
    ['card 4111 1111 1111 1111 declined', 'card [creditcard] declined'],
    ['card 4111-1111-1111-1111.', 'card [creditcard].'],
    ['5555555555554444', '[creditcard]'],
    ['amex 3782 822463 10005', 'amex [creditcard]'],
    ['1234 4111 1111 1111 1111', '1234 [creditcard]'],
    [`key: ${pem} end`, `key: ${F} end`],
    ['-----BEGIN PRIVATE KEY-----\nMIIB', F],
    ['ssn 123-45-6789', `ssn ${F}`],
    ['postgres://bo:hunter2@db:5432/x', `postgres://${F}@db:5432/x`],
    ['https://u:p@ss@h/', `https://${F}@h/`],
    ['sent Bearer abcDEF123456 to x', `sent Bearer ${F} to x`],
    [`got ${jwt}!`, `got ${F}!`],
  ]
  for (const [text, expected] of cases) assert.equal(scrub(text), expected)
})

test('ordinary text stays', () => {
  const texts = [
    'Unexpected token: punc (})',
    'SyntaxError: Unexpected token < in JSON at position 0',
    'Invalid password: must have 8 characters',
    'basic authentication failed',
    'The bearer of bad news',
    'Authorization failed for author=Bo',
    'order 1234567890123456 not found',
    'at 1700000000000 ms, 1795172400.123456789 s',
    'uuid 41111111-1111-4111-8111-111111111111',
    '0.4111111111111111',
    'id_4111111111111111x',
    'tel 555-123-4567, 000-12-3456',
    'https://publickey@o1.ingest.example/42',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'SELECT * FROM users WHERE id = 5',
    'a=b, c:d, e=>f, g::h, 12:30:45',
    'http://localhost:8000/a@b',
    'Größe=10 日本語：テスト',
    `${F} and [creditcard]`,
    `token=${F}&x=1`,
  ]
  for (const text of texts) assert.equal(scrub(text), text)
})

test('a megabyte of anything takes linear time', () => {
  const parts = [
    '=',
    ':',
    'a=',
    '"a":',
    'token=',
    'password="',
    '{"token":',
    '{"token":[',
    '4111 ',
    '4111-',
    '4',
    '1',
    '://',
    '://a:b',
    '@',
    '-----BEGIN ',
    '-----BEGIN KEY-----',
    'eyJ',
    'eyJ-',
    'eyJaaaaaaaaaa.',
    'bearer ',
    'basic 1',
    'bearer  1aaaaaaa',
    '\\',
    '\\"',
    "'",
    ' ',
    'a',
    '%41=',
    '[',
    ']',
    '123-45-',
    'é=',
    'cookie: ',
    'x:y@',
    'http://a:',
  ]
  for (const part of parts) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length))
    const started = performance.now()
    scrub(text)
    const tookMs = performance.now() - started
    assert.ok(tookMs < 1500, `${JSON.stringify(part)}: ${tookMs.toFixed(0)} ms`)
  }
})
