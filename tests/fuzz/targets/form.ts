/** Multipart and URL-encoded forms, by the two readers of the back: of `/api/0` uploads and of pages. */
import assert from 'node:assert/strict'
import { SondeError } from '@sonde/base'
import { Hono } from 'hono'
import type { ApiEnv } from '../../../packages/api/src/api-context.ts'
import { readForm } from '../../../packages/api/src/multipart.ts'
import { createFormBody } from '../../../packages/router/src/server/form-body.ts'
import type { Target } from '../engine/target.ts'
import { mutateForm } from '../mutators/form.ts'

const LIMITS = { requestBytes: 48 * 1024, fileBytes: 16 * 1024, files: 20, fields: 16 }
const URL_ENCODED = 'application/x-www-form-urlencoded'

export const form: Target = {
  name: 'form',
  seeds: () => [
    Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.js"\r\nContent-Type: text/plain\r\n\r\nvar a\r\n' +
        '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n~/a.js\r\n--x--\r\n',
    ),
    Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="file_gzip"; filename*=UTF-8''%e2%82%ac\r\n\r\n\x1f\x8b\r\n--x--`,
    ),
    Buffer.from('form=filters&messages=a%0Ab&__proto__=1&a=%ff&a=+'),
  ],
  mutate: mutateForm,
  words: [
    '\r\n--x\r\n',
    '--x--',
    'Content-Disposition: form-data; name="',
    'filename="',
    '; filename*=UTF-8',
    '%00',
    '&',
    '=',
  ],
  open: () => ({ run }),
}

async function run(input: Buffer): Promise<void> {
  const end = input.indexOf('\r\n')
  const boundary = input.toString('latin1', 2, end === -1 ? 2 : end)
  const asked = /^[\w'()+,./:=?-]{1,70}$/.test(boundary) ? boundary : 'x'
  for (const type of [`multipart/form-data; boundary="${asked}"`, URL_ENCODED, 'multipart/form-data'])
    await Promise.all([readAsUpload(input, type), readAsPage(input, type)])
}

async function readAsUpload(input: Buffer, type: string): Promise<void> {
  const app = new Hono<ApiEnv>()
  let failure: unknown
  app.post('/', async (c) => {
    try {
      let files = 0
      const { fields } = await readForm(c, LIMITS, async ({ bytes }) => {
        files++
        assert.ok(bytes.length <= LIMITS.fileBytes)
      })
      assert.ok(files <= LIMITS.files && fields.size <= LIMITS.fields)
    } catch (error) {
      if (!(error instanceof SondeError)) failure = error
    }
    return c.body(null)
  })
  await app.fetch(request(input, type))
  if (failure !== undefined) throw failure
}

async function readAsPage(input: Buffer, type: string): Promise<void> {
  const body = createFormBody(request(input, type))
  try {
    await body.read()
  } catch (error) {
    const { status } = error as { status?: unknown }
    if (typeof status !== 'number' || status >= 500) throw error
    return
  }
  body.typed()
}

const request = (input: Buffer, type: string): Request =>
  new Request('http://sonde.test/', {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(input),
  })
