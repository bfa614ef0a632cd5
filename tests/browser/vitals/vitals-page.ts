/** Pages whose vitals are measured twice: by the reporter, and by plain `web-vitals` as any page would do it. */
import type { ServerResponse } from 'node:http'
import type { Payload } from '../harness/recorded.ts'
import { type Site, type SiteOptions, startSite } from '../harness/site.ts'

const source = (path: string): string =>
  new URL(`../../../packages/browser/src/${path}`, import.meta.url).pathname

export type VitalsSite = Site & {
  /** What plain `web-vitals` logged last; names of soft navigations are `LCP@<start>`. */
  readonly plain: ReadonlyMap<string, number>
  /** Once it has logged something by a name that begins so. */
  logged(name: string): Promise<number>
}

/** `softNavs`: how the plain library is asked. `more` runs at the end; `features` stand in the order of their start. */
export const measured = ({
  softNavs = false,
  more = '',
  options = '',
  features = 'tracing(), vitals()',
} = {}): string => `
import * as sonde from '@sonde/browser'
import { tracing } from '${source('tracing/index.ts')}'
import { vitals } from '${source('vitals/index.ts')}'
import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
sonde.init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1.2.3', environment: 'test', features: [${features}], ${options} })
for (const on of [onCLS, onFCP, onINP, onLCP, onTTFB])
  on(({ name, value, navigationStartTime }) =>
    navigator.sendBeacon('/plain', JSON.stringify([navigationStartTime ? name + '@' + Math.round(navigationStartTime) : name, value])), { reportSoftNavs: ${softNavs} })
Object.assign(window, { sonde })
${more}
`

export const PICTURE = { width: 300, height: 200 }
const BITMAP = bitmap(PICTURE)

/** Noise, in its natural size: what is scaled up, or has hardly anything in it, does not count for LCP. */
function bitmap({ width, height }: typeof PICTURE): Buffer {
  const header = Buffer.alloc(54)
  header.write('BM')
  header.writeUInt32LE(54 + width * height * 3, 2)
  header.writeUInt32LE(54, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(24, 28)
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, i) => (i * 7919) % 251))
  return Buffer.concat([header, pixels])
}

/** Pictures `/*.bmp` come after `?delay=` ms; what plain web-vitals logs is in `plain`. */
export async function startVitalsSite(options: SiteOptions): Promise<VitalsSite> {
  const plain = new Map<string, number>()
  const waiting = new Set<() => void>()
  const site = await startSite({
    ...options,
    handle(req, res) {
      const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site')
      if (pathname === '/plain') {
        let body = ''
        req.on('data', (chunk) => (body += String(chunk)))
        req.on('end', () => {
          const [name, value] = JSON.parse(body) as [string, number]
          plain.set(name, value)
          for (const look of waiting) look()
          res.writeHead(204).end()
        })
        return true
      }
      if (!pathname.endsWith('.bmp')) return options.handle?.(req, res) ?? false
      // Not kept alive by a picture that nobody waits for any more.
      setTimeout(() => picture(res), Number(searchParams.get('delay') ?? 0)).unref()
      return true
    },
  })
  return Object.assign(site, {
    plain,
    logged: (name: string) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const found = [...plain].find(([key]) => key.startsWith(name))
          if (found) resolve(found[1])
        }
        waiting.add(look)
        look()
      }),
  })
}

function picture(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'image/bmp', 'cache-control': 'no-store' }).end(BITMAP)
}

/** Attributes of the vital spans that were received, with their types taken off; later ones of a name come later. */
export const vitalSpans = (site: Site, name: string): Payload[] =>
  site
    .items('span')
    .flatMap(({ payload }) => payload.items)
    .filter((span: Payload) => span.attributes[`browser.web_vital.${name}.value`])
    .map((span: Payload) => ({
      ...span,
      attributes: Object.fromEntries(
        Object.entries<Payload>(span.attributes).map(([key, { value }]) => [key, value]),
      ),
    }))

/** Once there are as many of that name. */
export async function waitForVital(site: Site, name: string, count = 1): Promise<Payload[]> {
  await site.waitFor(`${count} × ${name}`, () => vitalSpans(site, name).length >= count)
  return vitalSpans(site, name)
}

export const PAGE = (
  body: string,
  head = '',
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>page</title>
<link rel="icon" href="data:,">${head}</head><body style="margin: 0">${body}<script src="/page.js"></script></body></html>`
