/** One person at the screens, as the server meets them: signed in, one connection that stays open. */
import { Agent, request } from 'node:http'
import { OWNER } from '../../tests/harness/start-sonde.ts'

/** `data`: what the router in the browser fetches; `html`: the whole page. */
export type PageForm = 'data' | 'html'
export type Asked = { readonly tookMs: number; readonly bytes: number }

export type PageClient = {
  /** Throws for any answer but 200. `tookMs`: from the request to the last byte. */
  ask(path: string, form: PageForm): Promise<Asked>
  /** The data of a page's own route. */
  read<Data>(path: string): Promise<Data>
  close(): void
}

/** @param asked where it asks, when that is not where it signs in */
export async function signedInClient(url: string, asked: string = url): Promise<PageClient> {
  const { hostname, port, origin } = new URL(asked)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const cookie = await sessionCookie(new URL(url).origin)
  const ask: PageClient['ask'] = (path, form) =>
    new Promise((resolve, reject) => {
      const startedMs = performance.now()
      const headers = {
        cookie,
        'accept-encoding': 'gzip, br',
        ...(form === 'data' ? { 'x-sonde-page': '1' } : { accept: 'text/html' }),
      }
      const sent = request({ hostname, port, path, agent, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const tookMs = performance.now() - startedMs
          const body = Buffer.concat(chunks)
          if (answer.statusCode === 200) resolve({ tookMs, bytes: body.length })
          else reject(new Error(`${path} answered ${answer.statusCode}: ${body.toString().slice(0, 300)}`))
        })
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end()
    })
  return {
    ask,
    async read<Data>(path: string) {
      const answer = await fetch(`${origin}${path}`, { headers: { cookie, 'x-sonde-page': '1' } })
      const page = (await answer.json()) as { template: string; data: Record<string, Data> }
      const data = page.data[page.template]
      if (data === undefined) throw new Error(`${path} answered ${answer.status} without its data`)
      return data
    },
    close: () => agent.destroy(),
  }
}

async function sessionCookie(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(OWNER),
  })
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  if (answer.status !== 303 || cookies.length === 0) throw new Error(`sign-in answered ${answer.status}`)
  return cookies.join('; ')
}
