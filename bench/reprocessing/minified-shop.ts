/** A shop that is really built, minified and run: what its errors look like before anybody uploaded its source map. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { ID_PLACE, TIME_PLACE } from '../load/template.ts'

const URL = 'https://shop.example/assets/main.js'
/** Calls, one in the other; each is a module. */
const STEPS = 30
/** It breaks in one of the last so many: as many errors. */
const ERRORS = 20
/** Nothing but the words tells minified errors apart: each word is an issue of all the errors. */
const WORDS = ['upstream', 'payment', 'shipping', 'voucher', 'session'] as const

export const ISSUES_BEFORE = WORDS.length
export const ISSUES_AFTER = ERRORS

/** The folder of the build. */
export async function buildShop(folder: string): Promise<string> {
  const source = join(folder, 'src')
  mkdirSync(source, { recursive: true })
  for (let at = 0; at < STEPS; at++) writeFileSync(join(source, `step${at}.ts`), stepText(at))
  writeFileSync(
    join(source, 'main.ts'),
    `import { step0 } from './step0.ts'
Object.assign(globalThis, { checkout: (word: string, until: number) => step0({ word, until, total: 0 }) })
`,
  )
  const bundle = await rolldown({ input: join(source, 'main.ts') })
  const dir = join(folder, 'dist')
  await bundle.write({ dir, format: 'iife', minify: true, sourcemap: true, entryFileNames: 'main.js' })
  await bundle.close()
  return dir
}

/** Long enough that no minifier puts it into its caller. */
function stepText(at: number): string {
  const isLast = at === STEPS - 1
  const next = isLast ? '' : `import { step${at + 1} } from './step${at + 1}.ts'\n`
  const going = isLast ? 'cart.total' : `step${at + 1}({ ...cart, total: cart.total + ${at} })`
  return `${next}export type Cart${at} = { word: string; until: number; total: number }

export function step${at}(cart: Cart${at}): number {
  if (cart.until === ${at}) {
    throw new TypeError(\`the \${cart.word} went away\`)
  }
  const rest = ${going}
  return [rest, cart.total].reduce((sum, each) => sum + Math.round(each * ${1 + at / 100}), 0)
}
`
}

type Page = {
  checkout?: (word: string, until: number) => number
  _sentryDebugIds?: Readonly<Record<string, string>>
}

/** One for each word and error, as an SDK in the page sends them. The upload put the debug id into the files. */
export function minifiedEnvelopes(dist: string): string[] {
  const page: Page = {}
  runInNewContext(readFileSync(join(dist, 'main.js'), 'utf8'), page, { filename: URL })
  const [debugId] = Object.values(page['_sentryDebugIds'] ?? {})
  if (debugId === undefined) throw new Error('the build has no debug id')
  return Array.from({ length: ERRORS }, (_, at) => STEPS - 1 - at).flatMap((until) =>
    WORDS.map((word) => {
      const event = JSON.stringify(eventOf(thrownBy(page, word, until), debugId))
      return `{"event_id":"${ID_PLACE}"}\n{"type":"event","length":${event.length}}\n${event}\n`
    }),
  )
}

function thrownBy(page: Page, word: string, until: number): Error {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  try {
    page.checkout?.(word, until)
  } catch (error) {
    return error as Error
  } finally {
    Error.stackTraceLimit = before
  }
  throw new Error('the build did not throw as it should')
}

function eventOf(thrown: Error, debugId: string): object {
  const frames = (thrown.stack ?? '').split('\n').flatMap((line) => {
    const [, name = '?', , row, column] = /at (?:(\S+) \()?(https:\S+?):(\d+):(\d+)/.exec(line) ?? []
    if (row === undefined) return []
    return [
      {
        function: name,
        filename: URL,
        abs_path: URL,
        lineno: Number(row),
        colno: Number(column),
        in_app: true,
      },
    ]
  })
  return {
    event_id: ID_PLACE,
    timestamp: Number(TIME_PLACE),
    platform: 'javascript',
    level: 'error',
    release: 'shop@4.12.0',
    environment: 'production',
    sdk: { name: 'sentry.javascript.browser', version: '11.0.0' },
    debug_meta: { images: [{ type: 'sourcemap', code_file: URL, debug_id: debugId }] },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: thrown.message,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames: frames.toReversed() },
        },
      ],
    },
    tags: { region: 'eu-1', plan: 'team' },
  }
}
