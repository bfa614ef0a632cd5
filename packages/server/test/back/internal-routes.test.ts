import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SondeError } from '@sonde/base'
import { createInternalRoutes } from '../../src/back/internal-routes.ts'
import { askBack } from '../../src/internal/ask-back.ts'

test('what the running Sonde refuses comes over the socket as the error that it is', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-internal-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const socketPath = join(dir, 'socket')
  const hint = 'Make it first'
  const refused = {
    'not-found': new SondeError('not-found', 'no such thing', { operation: 'find it', subject: 'it', hint }),
    invalid: new SondeError('invalid', 'not so', { operation: 'read it' }),
    broken: new TypeError('x is undefined'),
  }
  const server = createServer(
    createInternalRoutes([
      { method: 'POST', path: '/fine', contentType: 'text/plain', answer: async (body) => `got ${body}` },
      ...Object.entries(refused).map(([path, error]) => ({
        method: 'POST' as const,
        path: `/${path}`,
        contentType: 'application/json',
        answer: () => Promise.reject(error),
      })),
    ]),
  )
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  t.after(() => server.close())
  const ask = (path: string) => askBack(socketPath, 'POST', path, { body: 'x' })
  assert.equal(await ask('/fine'), 'got x')
  const { kind, message, operation, subject } = refused['not-found']
  await assert.rejects(ask('/not-found'), { kind, message, operation, subject, hint, name: 'SondeError' })
  await assert.rejects(ask('/invalid'), { kind: 'invalid', message: 'not so', hint: undefined })
  // What is none of ours says where it came from.
  await assert.rejects(ask('/broken'), {
    kind: 'unavailable',
    message: '/broken answered 500: x is undefined',
  })
  await assert.rejects(ask('/none'), { message: '/none answered 404: no such internal route' })
})
