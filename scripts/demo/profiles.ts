/**
 * Profiles of the API, as `@sentry/profiling-node` sends them: the shop is too quiet to have any worth looking at. Over the two
 * days before and the two after a release in which pricing a cart became slower, a sample each ten milliseconds.
 */
import { randomBytes } from 'node:crypto'
import { type Item, sendItems } from './send-items.ts'

const HOUR_MS = 3_600_000
const DAYS = 4
const AN_HOUR = 2
const AN_ENVELOPE = 10
const STEP_MS = 10
const RELEASES = ['api@2.2.4', 'api@2.3.0'] as const

type Call = readonly [fn: string, file: string, ms: number, calls?: readonly Call[]]

const FRAMEWORK = 'node_modules/hono/dist/router.js'
const TRANSACTIONS: readonly { readonly name: string; readonly call: (isSlow: boolean) => Call }[] = [
  {
    name: 'POST /api/cart',
    call: (isSlow) => [
      'handle',
      FRAMEWORK,
      4,
      [
        [
          'addToCart',
          'src/cart.mjs',
          12,
          [
            [
              'priceCart',
              'src/price.mjs',
              isSlow ? 240 : 90,
              [
                ['roundToCents', 'src/money.mjs', isSlow ? 120 : 20],
                ['findDiscounts', 'src/price.mjs', 40],
              ],
            ],
            ['parse', 'node_modules/zod/lib/parse.js', 30],
          ],
        ],
      ],
    ],
  },
  {
    name: 'GET /api/products/:id',
    call: () => [
      'handle',
      FRAMEWORK,
      4,
      [
        [
          'showProduct',
          'src/products.mjs',
          20,
          [
            [
              'renderDescription',
              'src/markdown.mjs',
              80,
              [['tokenize', 'node_modules/marked/lib/marked.js', 60]],
            ],
            ['readStock', 'src/stock.mjs', 30],
          ],
        ],
      ],
    ],
  },
]

export async function sendProfiles(dsn: string): Promise<number> {
  const nowMs = Date.now()
  const items = Array.from({ length: DAYS * 24 * AN_HOUR }, (_, at) => {
    const atMs = nowMs - ((at + 0.5) / AN_HOUR) * HOUR_MS
    const isSlow = nowMs - atMs < (DAYS / 2) * 24 * HOUR_MS
    return profileOf(at, atMs, isSlow)
  })
  for (let first = 0; first < items.length; first += AN_ENVELOPE)
    // One profile an envelope is the protocol’s limit; their order does not matter.
    await Promise.all(items.slice(first, first + AN_ENVELOPE).map((item) => sendItems(dsn, [item])))
  return items.length
}

function profileOf(at: number, atMs: number, isSlow: boolean): Item {
  const { name, call } = TRANSACTIONS[at % TRANSACTIONS.length]!
  const frames: object[] = []
  const stacks: number[][] = []
  const samples: object[] = []
  // No two requests take the same time.
  const pace = 0.8 + ((at * 37) % 40) / 100
  const visit = ([fn, file, ms, calls = []]: Call, callers: readonly number[]): void => {
    const frame =
      frames.push({
        function: fn,
        filename: file,
        abs_path: `/app/${file}`,
        lineno: 12,
        in_app: !file.startsWith('node_modules'),
      }) - 1
    const stack = [frame, ...callers]
    const index = stacks.push([...stack]) - 1
    for (let left = Math.max(1, Math.round((ms * pace) / STEP_MS)); left > 0; left--)
      samples.push({
        stack_id: index,
        thread_id: '0',
        elapsed_since_start_ns: String(samples.length * STEP_MS * 1e6),
      })
    for (const each of calls) visit(each, stack)
  }
  visit(call(isSlow), [])
  const id = (): string => randomBytes(16).toString('hex')
  const transaction = { id: id(), name, trace_id: id(), active_thread_id: '0' }
  return [
    { type: 'profile' },
    {
      version: '1',
      event_id: id(),
      platform: 'node',
      release: RELEASES[isSlow ? 1 : 0],
      environment: 'production',
      timestamp: new Date(atMs).toISOString(),
      runtime: { name: 'node', version: '24.0.0' },
      os: { name: 'Linux', version: '6.12', build_number: '' },
      device: { architecture: 'x64', is_emulator: false, locale: 'en', manufacturer: '', model: '' },
      transaction,
      profile: { frames, stacks, samples, thread_metadata: { '0': { name: 'main' } } },
    },
  ]
}
