/**
 * Asks the running back over its internal socket (mode 0600: only the user who runs Sonde). Undefined when no back answers.
 */
import { request } from 'node:http'
import { SondeError } from '@sonde/base'

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
        if (answer.statusCode !== 200)
          return reject(
            new SondeError('unavailable', `${path} answered ${answer.statusCode}: ${text}`, {
              operation: 'ask the running Sonde',
            }),
          )
        resolve(text)
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
