/** A node:http server as a part: listens, and on stop lets running requests end. */
import { chmod, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { ConfigError, SondeError } from '@sonde/base'
import { HTTP_SERVER_OPTIONS } from '@sonde/ingest'

export type Listening = {
  readonly server: Server
  readonly port: number
  /** Requests that run have `graceMs` to end, and none once `hurried` aborts. Idempotent: the first call decides. */
  stop(graceMs: number, hurried?: AbortSignal): Promise<void>
}

export type Address = { readonly host: string; readonly port: number } | { readonly socketPath: string }

export async function listen(handler: RequestListener, address: Address): Promise<Listening> {
  const server = createServer(HTTP_SERVER_OPTIONS, handler)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, address)))
    if ('socketPath' in address) server.listen(address.socketPath, resolve)
    else server.listen(address.port, address.host, resolve)
  })
  const bound = server.address()
  let stopping: Promise<void> | undefined
  return {
    server,
    port: typeof bound === 'object' && bound ? bound.port : 0,
    stop: (graceMs, hurried) => (stopping ??= close(server, graceMs, hurried)),
  }
}

function close(server: Server, graceMs: number, hurried: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const force = (): void => server.closeAllConnections()
    const timer = setTimeout(force, graceMs)
    server.close(() => {
      clearTimeout(timer)
      hurried?.removeEventListener('abort', force)
      resolve()
    })
    server.closeIdleConnections()
    if (hurried?.aborted) force()
    else hurried?.addEventListener('abort', force, { once: true })
  })
}

/** Only the user who runs Sonde may connect. What an earlier run left there is taken away. */
export async function listenOnSocket(handler: RequestListener, socketPath: string): Promise<Listening> {
  await rm(socketPath, { force: true })
  const listening = await listen(handler, { socketPath })
  await chmod(socketPath, 0o600)
  return listening
}

function explain(error: NodeJS.ErrnoException, address: Address): Error {
  if ('socketPath' in address)
    return new SondeError('unavailable', error.message, {
      operation: 'listen',
      subject: address.socketPath,
      cause: error,
    })
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(
      'PORT',
      `${address.port} is in use on ${address.host}`,
      'Stop what listens there, or set PORT to another number.',
    )
  }
  if (error.code === 'EADDRNOTAVAIL')
    return new ConfigError('HOST', `this machine has no address ${address.host}`)
  if (error.code === 'EACCES')
    return new ConfigError(
      'PORT',
      `${address.port} needs rights that this user does not have; take one from 1024 up`,
    )
  return error
}
