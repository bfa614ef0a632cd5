/** What goes wrong between Sonde and an S3 server: told in words, in time, and over when the cause is. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { ConfigError, SondeError, UnavailableError } from '@sonde/base'
import type { Blobs } from '../../packages/stores/src/blobs/blobs.ts'
import { openS3Blobs } from '../../packages/stores/src/blobs/s3/s3-blobs.ts'
import { startS3 } from '../harness/servers/s3.ts'
import { allOf } from './all-of.ts'
import { startFaultyProxy } from './faulty-proxy.ts'

// As in production, but for how long nothing may come.
const LIMITS = { quietMs: 400, attempts: 3 }
/** All tries with their pauses; more would mean that a limit does not hold. */
const WITHIN_MS = 6_000

const server = await startS3()
const proxy = await startFaultyProxy(server.endpoint)
after(async () => {
  await proxy.close()
  await server.stop()
})

async function openFaulty(): Promise<{
  readonly blobs: Blobs
  readonly dir: string
  readonly bucket: string
}> {
  const { place, dir, bucket } = server.makeBucket()
  const url = place.url.replace(server.endpoint, proxy.endpoint)
  return { blobs: await openS3Blobs({ ...place, url }, LIMITS), dir, bucket }
}

async function isUnavailable(job: Promise<unknown>): Promise<UnavailableError> {
  const beganMs = performance.now()
  const error = await job.then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof UnavailableError, String(error))
  assert.ok(error.hint, 'it says what to do')
  assert.ok(performance.now() - beganMs < WITHIN_MS)
  return error
}

const text = async (blobs: Blobs, name: string): Promise<string> =>
  Buffer.from((await blobs.get(name)) ?? []).toString()

describe('a server that ends', () => {
  afterEach(async () => {
    proxy.spoil(undefined)
    await server.kill()
    await server.start()
  })

  it('in the middle of a put leaves what was there, and the same put goes through once it is back', async () => {
    const { blobs } = await openFaulty()
    await blobs.put('a', Buffer.from('before'))
    proxy.spoil((req) =>
      req.url?.includes('partNumber=2') ? server.kill().then(() => assert.fail('gone')) : undefined,
    )
    const bytes = randomBytes(20 * 1024 * 1024)
    await isUnavailable(blobs.put('a', bytes))
    proxy.spoil(undefined)
    await server.start()
    assert.equal(await text(blobs, 'a'), 'before')
    await blobs.put('a', bytes)
    assert.ok(Buffer.from((await blobs.get('a')) ?? []).equals(bytes))
  })

  it('in the middle of a read fails the reader, who gets all of it once it is back', async () => {
    const { place } = server.makeBucket()
    const blobs = await openS3Blobs(place, LIMITS)
    const bytes = randomBytes(32 * 1024 * 1024)
    await blobs.put('a', bytes)
    const found = await blobs.open('a')
    const reader = found?.stream.getReader()
    await reader?.read()
    await server.kill()
    await isUnavailable(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    )
    await isUnavailable(blobs.get('a'))
    await server.start()
    assert.ok(Buffer.from((await blobs.get('a')) ?? []).equals(bytes))
  })

  it('in the middle of a list fails the list, never shortens it', async () => {
    const { blobs, dir } = await openFaulty()
    mkdirSync(join(dir, 'many'))
    for (let at = 0; at < 1_100; at++) writeFileSync(join(dir, 'many', String(at)), '')
    proxy.spoil((req) =>
      req.url?.includes('continuation-token') ? server.kill().then(() => assert.fail('gone')) : undefined,
    )
    await isUnavailable(allOf(blobs.list('many/')))
    proxy.spoil(undefined)
    await server.start()
    assert.equal((await allOf(blobs.list('many/'))).length, 1_100)
  })
})

describe('an answer that is wrong', () => {
  afterEach(() => proxy.spoil(undefined))

  it('cut short is noticed, and asked for again', async () => {
    const { blobs } = await openFaulty()
    await blobs.put('a', Buffer.alloc(300_000, 'a'))
    let cuts = 0
    proxy.spoil((req, res, pass) => {
      if (req.method !== 'GET' || ++cuts > 2) return undefined
      return pass().then(({ status, headers, body }) => {
        res.writeHead(status, headers)
        res.write(body.subarray(0, 100_000), () => res.destroy())
      })
    })
    assert.equal((await blobs.get('a'))?.length, 300_000)
    assert.equal(cuts, 3)
    cuts = -100
    const error = await isUnavailable(blobs.get('a'))
    assert.equal(error.subject, 'a')
  })

  it('with other bytes of the same length is noticed by the checksum, also in a stream', async () => {
    const { blobs } = await openFaulty()
    await blobs.put('a', Buffer.alloc(300_000, 'a'))
    proxy.spoil((req, res, pass) =>
      pass().then(({ status, headers, body }) => {
        body[250_000] = 0
        res.writeHead(status, headers)
        res.end(body)
      }),
    )
    const isDamaged = (error: unknown) =>
      error instanceof SondeError && error.kind === 'internal' && /checksum/.test(error.message)
    await assert.rejects(blobs.get('a'), isDamaged)
    const found = await blobs.open('a')
    await assert.rejects(allOf(found?.stream ?? []), isDamaged)
  })

  it('to bytes that were changed on their way is a refusal, and what was there stays', async () => {
    const { blobs } = await openFaulty()
    await blobs.put('a', Buffer.from('before'))
    proxy.spoil((req, res) => {
      if (req.method !== 'PUT') return undefined
      return fetch(new URL(req.url ?? '', server.endpoint), {
        method: 'PUT',
        headers: { ...(req.headers as Record<string, string>) },
        body: 'other bytes',
      }).then(async (answer) => {
        res.writeHead(answer.status)
        res.end(await answer.text())
      })
    })
    await isUnavailable(blobs.put('a', Buffer.from('these bytes')))
    proxy.spoil(undefined)
    assert.equal(await text(blobs, 'a'), 'before')
  })

  it('that asks to slow down is waited for; one that keeps asking is told', async () => {
    const { blobs } = await openFaulty()
    let busy = 2
    proxy.spoil((_, res) => {
      if (busy-- <= 0) return undefined
      res.writeHead(503)
      res.end('<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>')
      return Promise.resolve()
    })
    await blobs.put('a', Buffer.from('after all'))
    busy = Infinity
    assert.match((await isUnavailable(blobs.put('a', Buffer.from('b')))).message, /SlowDown/)
    busy = 0
    assert.equal(await text(blobs, 'a'), 'after all')
  })

  it('that says the server is full is told as such', async () => {
    const { blobs } = await openFaulty()
    proxy.spoil((_, res) => {
      res.writeHead(507)
      res.end('<Error><Code>InsufficientStorage</Code><Message>No space left on device.</Message></Error>')
      return Promise.resolve()
    })
    assert.match((await isUnavailable(blobs.put('a', Buffer.from('b')))).hint ?? '', /free space/)
  })

  it('that never comes, or stops coming, is given up in time; a slow reader is not', async () => {
    const { blobs } = await openFaulty()
    await blobs.put('a', Buffer.alloc(300_000, 'a'))
    proxy.spoil(() => new Promise(() => undefined))
    await isUnavailable(blobs.get('a'))
    proxy.spoil((_, res, pass) =>
      pass().then(({ status, headers, body }) => {
        res.writeHead(status, headers)
        res.write(body.subarray(0, 100_000))
      }),
    )
    await isUnavailable(blobs.get('a'))
    proxy.spoil(undefined)
    const reader = (await blobs.open('a'))?.stream.getReader()
    let bytes = 0
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      bytes += part.value.length
      if (bytes === part.value.length) await waitLongerThan(LIMITS.quietMs)
    }
    assert.equal(bytes, 300_000)
  })
})

/** Time itself is what is tried here. */
const waitLongerThan = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms * 1.5))

describe('a setting that is wrong is told when Sonde opens the bucket, with the next step and without the key', () => {
  const refused = async (
    change: (place: { url: string; keys: { accessKey: string; secretKey: string } }) => unknown,
  ) => {
    const { place } = server.makeBucket()
    const copy = { url: place.url, keys: { ...place.keys } }
    change(copy)
    const error = await openS3Blobs(copy, LIMITS).then(
      () => assert.fail('it opened'),
      (thrown: unknown) => thrown as SondeError,
    )
    const told = `${error.message} ${error.hint}`
    assert.ok(!told.includes(copy.keys.secretKey), told)
    return { error, told }
  }

  it('no such bucket', async () => {
    const { error, told } = await refused(
      (place) => (place.url = place.url.replace('s3://sonde', 's3://none')),
    )
    assert.ok(error instanceof ConfigError, String(error))
    assert.match(told, /NoSuchBucket.*make the bucket none-/)
  })

  it('a wrong secret, and a key that is not known', async () => {
    for (const name of ['secretKey', 'accessKey'] as const) {
      const { error, told } = await refused((place) => (place.keys[name] = `${place.keys[name]}x`))
      assert.ok(error instanceof ConfigError, String(error))
      assert.match(told, /SONDE_BLOBS_ACCESS_KEY/)
    }
  })

  it('another region', async () => {
    proxy.spoil((_, res) => {
      res.writeHead(301, { 'x-amz-bucket-region': 'eu-central-1' })
      res.end(
        '<Error><Code>PermanentRedirect</Code><Message>Use the endpoint of the bucket.</Message></Error>',
      )
      return Promise.resolve()
    })
    const { error, told } = await refused(
      (place) => (place.url = place.url.replace(server.endpoint, proxy.endpoint)),
    )
    proxy.spoil(undefined)
    assert.ok(error instanceof ConfigError, String(error))
    assert.match(told, /is in region eu-central-1.*correct region=us-east-1/)
  })

  it('nobody there', async () => {
    const { error, told } = await refused((place) => (place.url = place.url.replace(/:\d+$/, ':9')))
    assert.ok(error instanceof UnavailableError, String(error))
    assert.match(told, /must answer at http:\/\/127\.0\.0\.1:9/)
  })
})
