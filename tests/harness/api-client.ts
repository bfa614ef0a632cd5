/** Reads `/api/0` with a bearer token, and waits for what is on its way through the pipeline. */
import type { Installation } from './start-sonde.ts'
import { sondeJson } from './start-sonde.ts'

const SCOPES = 'project:read,project:write,project:releases,event:read,event:write,org:read,alerts:read'

export type CreatedProject = { id: string; org: string; project: string; dsn: string; publicKey: string }

export function createProject(running: Installation, path: string, platform = 'javascript'): CreatedProject {
  return sondeJson(running.dataDir, ['project', 'create', path, '--platform', platform], {
    ...running.env,
    PORT: String(running.port),
  })
}

export type ApiClient = {
  get<T>(path: string): Promise<{ status: number; body: T; headers: Headers }>
  /** The answer as it is, for what is no JSON. */
  download(path: string): Promise<Response>
  /** Asks until the answer is a 200 that `done` accepts; fails loudly after `withinMs`. */
  until<T>(path: string, done: (body: T) => boolean, withinMs?: number): Promise<T>
}

export function apiClient(running: Installation): ApiClient {
  const args = ['token', 'create', '--name', 'tests', '--scopes', SCOPES]
  const { token } = sondeJson<{ token: string }>(running.dataDir, args, running.env)
  const download = (path: string): Promise<Response> =>
    fetch(`${running.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const get: ApiClient['get'] = async (path) => {
    const answer = await download(path)
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as never,
    }
  }
  return {
    get,
    download,
    async until<T>(path: string, done: (body: T) => boolean, withinMs = 15_000): Promise<T> {
      const endMs = Date.now() + withinMs
      for (;;) {
        const { status, body } = await get<T>(path)
        if (status === 200 && done(body)) return body
        if (Date.now() > endMs)
          throw new Error(
            `${path} answered ${status}: ${JSON.stringify(body).slice(0, 2000)}\n${running.log()}`,
          )
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    },
  }
}
