import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readS3Url } from '../../src/blobs/s3/s3-address.ts'
import { elementsIn, textIn } from '../../src/blobs/s3/s3-xml.ts'

test('the address of a bucket may leave out all but the bucket', () => {
  assert.deepEqual(readS3Url('s3://sonde'), {
    bucket: 'sonde',
    prefix: '',
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
  })
  const whole = 's3://my.bucket/prod/Sonde_1/?region=eu-central-1&endpoint=http://127.0.0.1:9000'
  assert.deepEqual(readS3Url(whole), {
    bucket: 'my.bucket',
    prefix: 'prod/Sonde_1/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-central-1',
  })
})

test('what would be misunderstood, or would show a key, is refused', () => {
  for (const text of [
    'sonde',
    'https://sonde',
    's3://',
    's3://Sonde',
    's3://key:secret@sonde',
    's3://sonde?region=EU',
    's3://sonde?Region=eu',
    's3://sonde?endpoint=s3.example.com',
    's3://sonde?endpoint=https://key:secret@s3.example.com',
    's3://sonde?endpoint=https://s3.example.com/path',
    's3://sonde/.hidden',
    's3://sonde/a..b',
    's3://sonde/a%20b',
    `s3://sonde/${'x'.repeat(24)}`,
    's3://sonde#x',
  ])
    assert.equal(readS3Url(text), undefined, text)
})

test('answers are read element by element, with what XML escapes', () => {
  const xml = '<R><A><K>one</K><E>&quot;1&quot;</E></A><A><K>a&amp;lt;b</K></A><A><K>cut'
  assert.deepEqual(
    elementsIn(xml, 'A').map((one) => [textIn(one, 'K'), textIn(one, 'E')]),
    [
      ['one', '"1"'],
      ['a&lt;b', undefined],
      [undefined, undefined],
    ],
  )
})
