/** Every address that the code answers, read from the code itself: what a test must know, so that nothing new is forgotten. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApi } from '../../../packages/api/src/index.ts'
import { scanRoutes } from '../../../packages/router/src/vite/generate.ts'

const ROUTES = join(import.meta.dirname, '..', '..', '..', 'packages', 'web', 'src', 'routes')

export type CodePage = {
  readonly template: string
  readonly hasAction: boolean
  /** What its action looks for in a form: values that it compares with, and names of fields. */
  readonly words: ReadonlySet<string>
}

export function codePages(): readonly CodePage[] {
  return scanRoutes(ROUTES).pages.map(({ id: template, serverFile }) => {
    const file = join(ROUTES, serverFile ?? '')
    const text = serverFile !== undefined ? readFileSync(file, 'utf8') : ''
    const hasAction = /export (?:async function|const) action\b/.test(text)
    return { template, hasAction, words: hasAction ? wordsOf(file) : new Set() }
  })
}

const WORDS = [
  /\b(?:form|does|change|wanted|posted\.text\('(?:form|does)'\)) [!=]== '([\w-]+)'/g,
  /\bform\.(?:get|getAll|has)\('(\w+)'\)/g,
  /\(await formData\(\)\)\.get\('(\w+)'\)/g,
  /\bform\.get\('\w+'\) === '([\w-]+)'/g,
]

/** Of the page and of the modules of the server that it is made of. */
function wordsOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const words = new Set<string>()
  if (seen.has(file) || !existsSync(file)) return words
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const pattern of WORDS) for (const [, word = ''] of text.matchAll(pattern)) words.add(word)
  for (const [, list = ''] of text.matchAll(/\b[A-Z]+_FORMS = \[([^\]]*)\]/g))
    for (const [, word = ''] of list.matchAll(/'([\w-]+)'/g)) words.add(word)
  for (const [, path = ''] of text.matchAll(/from '(\.[^']*(?:\.server|posted-[\w-]+)\.ts)'/g))
    for (const word of wordsOf(join(dirname(file), path), seen)) words.add(word)
  return words
}

/** `GET /organizations/:org`, without what stands before all of them. */
export function codeOperations(): readonly string[] {
  // Registering looks at none of the parts; there is a live feed in a running Sonde.
  const api = createApi({ live: {} } as unknown as Parameters<typeof createApi>[0])
  const operations = api.routes
    .filter(({ path }) => path !== '/api/0/*')
    .map(({ method, path }) => `${method} ${path.replace(/^\/api\/0/, '') || '/'}`)
  return [...new Set(operations)]
}
