/** A whole Sonde whose blobs lie on a real S3 server: what people send and upload goes there, comes back and is removed. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import { type S3Server, startS3 } from '../harness/servers/s3.ts'
import { type RunningSonde, sonde, sondeJson, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { uploadBuild } from '../harness/upload-build.ts'

type Attachment = { readonly id: string; readonly sha1: string }
type Report = {
  readonly parts: readonly { readonly name: string; readonly state: string; readonly detail: string }[]
}

// Longer than the server takes to start, and the pipeline's pause between two tries.
const WITHIN_MS = 30_000

let server: S3Server
let bucket: ReturnType<S3Server['makeBucket']>
let env: NodeJS.ProcessEnv

before(async () => {
  server = await startS3()
  bucket = server.makeBucket('prod')
  env = {
    SONDE_BLOBS_URL: bucket.place.url,
    SONDE_BLOBS_ACCESS_KEY: server.keys.accessKey,
    SONDE_BLOBS_SECRET_KEY: server.keys.secretKey,
  }
})
after(() => server.stop())

function filesIn(dir: string): readonly string[] {
  const entries = existsSync(dir) ? readdirSync(dir, { recursive: true, withFileTypes: true }) : []
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function until<Result>(look: () => Promise<Result | undefined>, what: string): Promise<Result> {
  const endMs = Date.now() + WITHIN_MS
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}`)
    await sleep(50)
  }
}

describe('a Sonde with its blobs in a bucket', () => {
  let running: RunningSonde
  let project: CreatedProject
  let token: string
  const scopes = 'org:read,project:read,project:write,project:admin,project:releases,event:read,event:admin'

  before(async () => {
    running = await startSonde({ env })
    project = createProject(running, 'acme/shop')
    token = sondeJson<{ token: string }>(running.dataDir, [
      'token',
      'create',
      '--name',
      't',
      '--scopes',
      scopes,
    ]).token
  })
  after(async () => {
    assert.equal(await running.stop(), 0, running.log())
    rmSync(running.dataDir, { recursive: true, force: true })
  })

  const ask = (path: string, method = 'GET'): Promise<Response> =>
    fetch(`${running.url}/api/0${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  const objects = (folder: string): readonly string[] => filesIn(join(bucket.dir, 'prod', folder))
  const doctor = () => {
    const { stdout } = sonde(running.dataDir, ['doctor', '--json'], env)
    return (JSON.parse(stdout) as Report).parts.find(({ name }) => name === 'blobs')
  }

  async function send(bytes: Buffer): Promise<string> {
    const id = randomBytes(16).toString('hex')
    const head = (type: object, length: number): string => `${JSON.stringify({ ...type, length })}\n`
    const event = Buffer.from(JSON.stringify({ event_id: id, message: 'with a file' }))
    const body = Buffer.concat([
      Buffer.from(`{"event_id":"${id}"}\n${head({ type: 'event' }, event.length)}`),
      event,
      Buffer.from(`\n${head({ type: 'attachment', filename: 'file.bin' }, bytes.length)}`),
      bytes,
      Buffer.from('\n'),
    ])
    const door = `${running.url}/api/${project.id}/envelope/?sentry_key=${project.publicKey}&sentry_version=7`
    const answer = await fetch(door, { method: 'POST', body })
    assert.equal(answer.status, 200, await answer.text())
    return id
  }
  const listOf = (id: string): string => `/projects/acme/shop/events/${id}/attachments/`
  const attachmentOf = (id: string): Promise<Attachment> =>
    until(async () => {
      const answer = await ask(listOf(id))
      return answer.ok ? ((await answer.json()) as Attachment[])[0] : undefined
    }, `event ${id} has its file\n${running.log()}`)
  const download = (id: string, file: Attachment): Promise<Response> =>
    ask(`${listOf(id)}${file.id}/?download=1`)

  it('keeps an attachment there, hands it out, and deletes it there', async () => {
    const bytes = randomBytes(3_000_000)
    const id = await send(bytes)
    const file = await attachmentOf(id)
    assert.equal(objects('attachments').length, 1)
    assert.deepEqual(filesIn(join(running.dataDir, 'blobs')), [], 'nothing lies on the disk of Sonde')
    const answer = await download(id, file)
    assert.equal(answer.headers.get('content-length'), String(bytes.length))
    const sha1 = createHash('sha1')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex')
    assert.equal(sha1, file.sha1)
    assert.equal((await ask(`${listOf(id)}${file.id}/`, 'DELETE')).status, 204)
    await until(async () => (objects('attachments').length === 0 ? true : undefined), 'the object is gone')
  })

  it('keeps uploaded source maps there', async () => {
    const folder = join(running.dataDir, 'build')
    mkdirSync(folder)
    const map = {
      version: 3,
      sources: ['a.ts'],
      sourcesContent: ['export {}\n'],
      names: [],
      mappings: 'AAAA',
    }
    writeFileSync(join(folder, 'a.js'), 'let a=1\n//# sourceMappingURL=a.js.map\n')
    writeFileSync(join(folder, 'a.js.map'), JSON.stringify(map))
    await uploadBuild(folder, { url: running.url, token, project: 'acme/shop', release: '1.0.0' })
    assert.equal(objects('artifacts').length, 2)
  })

  it('says in the doctor and on the status page where they are', () => {
    const part = doctor()
    assert.equal(part?.state, 'ok')
    assert.ok(part.detail.includes(bucket.bucket) && part.detail.includes(server.endpoint), part.detail)
  })

  it('takes events while the server is away, says so, and stores them when it is back', async () => {
    const before = await send(Buffer.from('before'))
    const file = await attachmentOf(before)
    await server.kill()
    const id = await send(Buffer.from('meanwhile'))
    assert.equal((await download(before, file)).status, 503)
    const part = doctor()
    assert.equal(part?.state, 'down')
    assert.ok(part.detail.includes(`must answer at ${server.endpoint}`), part.detail)
    await server.start()
    const late = await attachmentOf(id)
    assert.equal(await (await download(id, late)).text(), 'meanwhile')
    assert.equal(await (await download(before, file)).text(), 'before')
    assert.equal(doctor()?.state, 'ok')
  })

  it('removes everything of a project that is purged', async () => {
    assert.ok(objects('attachments').length > 0)
    assert.equal((await ask('/projects/acme/shop/', 'DELETE')).status, 204)
    const [deleted] = sondeJson<{ id: number }[]>(running.dataDir, ['deleted', 'list'])
    assert.ok(objects('attachments').length > 0, 'it can be restored for a day')
    assert.equal((await ask(`/recently-deleted/${deleted?.id}/`, 'DELETE')).status, 202)
    await until(async () => (objects('attachments').length === 0 ? true : undefined), 'its objects are gone')
  })

  it('never says the key', () => {
    const said = running.log() + running.output()
    assert.ok(!said.includes(server.keys.secretKey))
    assert.ok(!said.includes('AWS4-HMAC'))
  })
})

describe('a start with a wrong bucket ends and says what to do', () => {
  const start = (more: NodeJS.ProcessEnv) => {
    const data = temporaryDataDir()
    const { code, stderr } = sonde(data.dir, ['start'], { ...env, PORT: '0', ...more })
    data.remove()
    return { code, stderr }
  }

  it('that is not there', () => {
    const { code, stderr } = start({ SONDE_BLOBS_URL: bucket.place.url.replace('s3://sonde', 's3://none') })
    assert.equal(code, 1)
    assert.match(stderr, /SONDE_BLOBS_URL.*NoSuchBucket[^]*make the bucket none/)
  })

  it('without a key', () => {
    const { code, stderr } = start({ SONDE_BLOBS_SECRET_KEY: '' })
    assert.equal(code, 2)
    assert.match(stderr, /SONDE_BLOBS_SECRET_KEY: is not set/)
  })
})
