/**
 * What a build would tell of the shop's releases: that they are there, what was changed in them, and where they were
 * deployed when. Through `/api/0`, as sentry-cli does it.
 */
import { deployedAtMs } from './history.ts'
import { RELEASES, type Release } from './shop.ts'
import type { DemoSonde } from './sonde.ts'

const HOUR_MS = 3_600_000
const ALREADY_THERE = 208
/** A day's work lies between the last commit and the deploy to production; staging has it the evening before. */
const STAGED_BEFORE_MS = 14 * HOUR_MS

type Change = { readonly author: string; readonly message: string; readonly files: readonly string[] }

/** Newest first. Files are those of `examples/shop`. */
const CHANGES: Readonly<Record<Release, readonly Change[]>> = {
  'shop@1.4.0': [
    {
      author: 'Mara Lind',
      message: 'Routes are fetched ahead',
      files: ['src/router.tsx', 'src/ui/warm-link.tsx'],
    },
    { author: 'Tomás Silva', message: 'The list shows what is left', files: ['src/routes/list.tsx'] },
  ],
  'shop@1.4.1': [
    { author: 'Tomás Silva', message: 'A failed page can be left', files: ['src/routes/failed.tsx'] },
    { author: 'Ines Faro', message: 'Invoices by month', files: ['src/routes/invoices.tsx', 'src/api.ts'] },
  ],
  'shop@1.5.0': [
    {
      author: 'Ines Faro',
      message:
        'Delivery dates follow the amount\n\nEach change of the amount searches for the next free day.',
      files: ['src/delivery-date.ts', 'src/routes/cart.tsx'],
    },
    {
      author: 'Mara Lind',
      message: 'Promotions stand above the products',
      files: ['src/ui/promotion.tsx', 'src/ui/product-card.tsx', 'src/routes/product.tsx'],
    },
    { author: 'Tomás Silva', message: 'Paying asks once', files: ['src/routes/checkout.tsx', 'src/api.ts'] },
  ],
}

export async function tellReleases(sonde: DemoSonde): Promise<void> {
  const token = sonde.tokenFor('project:releases')
  const nowMs = Date.now()
  const post = async (path: string, body: object): Promise<number> => {
    const answer = await fetch(`${sonde.url}/api/0/organizations/default/releases/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`Sonde did not take a release: ${answer.status} ${await answer.text()}`)
    await answer.body?.cancel()
    return answer.status
  }
  for (const [index, version] of RELEASES.entries()) {
    const liveMs = deployedAtMs(index, nowMs)
    const commits = CHANGES[version].map((change, place) => commitOf(version, change, place, liveMs))
    // Of data that was kept all of it is told already.
    if ((await post('', { version, projects: ['shop'], commits })) === ALREADY_THERE) continue
    for (const [environment, atMs] of [
      ['staging', liveMs - STAGED_BEFORE_MS],
      ['production', liveMs],
    ] as const)
      await post(`${encodeURIComponent(version)}/deploys/`, {
        environment,
        dateStarted: new Date(atMs - 80_000).toISOString(),
        dateFinished: new Date(atMs).toISOString(),
      })
  }
}

function commitOf(version: Release, { author, message, files }: Change, place: number, liveMs: number) {
  const plain = author.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return {
    // The same at every run; nobody looks one up.
    id: Buffer.from(`${version} ${place} ${message}`).toString('hex').slice(-40).padStart(40, '0'),
    repository: 'harbour/shop',
    author_name: author,
    author_email: `${plain.replace(' ', '.')}@shop.example`,
    message,
    timestamp: new Date(liveMs - STAGED_BEFORE_MS - (place + 1) * 3 * HOUR_MS).toISOString(),
    patch_set: files.map((path) => ({ path, type: 'M' })),
  }
}
