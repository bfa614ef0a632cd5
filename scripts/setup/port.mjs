/** Whether somebody listens already where a start is about to: asked before minutes of installing and building. */
import { createServer } from 'node:net'

/**
 * In words with a way out; undefined: the address is free, or what is wrong with it is for the start to say, which knows
 * every setting. Whoever takes the port later is told of by the start, too.
 */
export function portProblem(env = process.env) {
  const host = env.HOST?.trim() || '127.0.0.1'
  const port = env.PORT?.trim() || '8600'
  const number = Number(port)
  // Port 0 is any free one.
  const isKnown = Number.isInteger(number) && number > 0 && number < 65_536
  if (!isKnown) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }) => resolve(code === 'EADDRINUSE' ? busy(host, port) : undefined))
    server.listen({ host, port: number, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

const busy = (host, port) =>
  `Something listens on ${host}:${port} already, perhaps another Sonde. Nothing was installed or built.
Stop it, or choose another port: PORT=${Number(port) === 65_535 ? 8600 : Number(port) + 1} npm start`
