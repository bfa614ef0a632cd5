/**
 * Asks the running back over its internal socket (mode 0600: only the user who runs Sonde). Undefined when no back answers.
 * Rejects with the `SondeError` that the back threw.
 */
import { request } from 'node:http'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorOf } from './error-text.ts'

// The last: the path is too long for a socket, so none was ever made there.
const NOBODY: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'ENAMETOOLONG', 'EINVAL'])

export function askBack(
  socketPath: string,
  method: 'GET' | 'POST',
  path: string,
  { body = '', timeoutMs = 10_000 }: { readonly body?: string; readonly timeoutMs?: number } = {},
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const requested = request({ socketPath, method, path, timeout: timeoutMs }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const { statusCode: status = 0, headers } = answer
        if (status === 200) return resolve(text)
        reject(errorOf(path, { status, type: headers['content-type'] ?? '', text }))
      })
    })
    requested.on('timeout', () => requested.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    requested.on('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.has(error.code ?? '')) resolve(undefined)
      else reject(error)
    })
    requested.end(body)
  })
}

/** For long answers: what comes is written to `out`, which is ended. False: no back answers. */
export function streamFromBack(
  socketPath: string,
  path: string,
  body: string,
  out: Writable,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const requested = request({ socketPath, method: 'POST', path }, (answer) => {
      if (answer.statusCode === 200) {
        pipeline(answer, out).then(() => resolve(true), reject)
        return
      }
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const { statusCode: status = 0, headers } = answer
        const text = Buffer.concat(chunks).toString('utf8')
        reject(errorOf(path, { status, type: headers['content-type'] ?? '', text }))
      })
    })
    requested.on('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.has(error.code ?? '')) resolve(false)
      else reject(error)
    })
    requested.end(body)
  })
}
