/** A large application, bundled and minified: its map has ten megabytes, as those of grown single-page applications do. */
import { rolldown } from 'rolldown'

export type BigApp = {
  readonly code: string
  readonly map: string
  /** Where functions throw, from 1: what frames of errors name. */
  readonly places: readonly { readonly line: number; readonly column: number }[]
}

const MODULES = 450
const FUNCTIONS = 24
const THROW = 'out of range'

export async function buildBigApp(): Promise<BigApp> {
  const sources = new Map<string, string>()
  const names = Array.from({ length: MODULES }, (_, at) => `src/feature-${at % 40}/module-${at}.js`)
  for (const [at, name] of names.entries()) sources.set(name, moduleText(at))
  const imports = names.map((name, at) => `import * as m${at} from './${name}'`).join('\n')
  const used = names.map((_, at) => `m${at}`).join(', ')
  sources.set('main.js', `${imports}\nglobalThis.app = [${used}].map((each) => ({ ...each }))\n`)
  const bundle = await rolldown({
    input: 'main.js',
    logLevel: 'silent',
    plugins: [
      {
        name: 'memory',
        resolveId: (id) => (sources.has(id.replace('./', '')) ? id.replace('./', '') : null),
        load: (id) => sources.get(id) ?? null,
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true, sourcemap: true })
  await bundle.close()
  const [{ code, map }] = output
  return { code, map: JSON.stringify(map), places: placesOf(code) }
}

function moduleText(module: number): string {
  const functions = Array.from({ length: FUNCTIONS }, (_, at) => {
    const name = `computeTotalOfSection${module}Part${at}`
    return `
/** Adds up what section ${module} has in its part ${at}, and complains about what does not fit. */
export function ${name}(section, options = {}) {
  const { limit = ${at * 7 + 3}, currency = 'EUR' } = options
  let sum = 0
  for (const entry of section.entries ?? []) {
    const weighted = entry.amount * (entry.weight ?? 1)
    if (weighted > limit) throw new RangeError('${THROW}: ' + entry.label + ' of ' + section.title)
    sum += Math.round(weighted * 100) / 100
  }
  return { sum, currency, label: section.title + ' #${at}' }
}
`
  })
  return functions.join('')
}

/** The bundler writes one line, or several. */
function placesOf(code: string): BigApp['places'] {
  const places: { line: number; column: number }[] = []
  for (const [at, line] of code.split('\n').entries())
    for (let found = line.indexOf(THROW); found !== -1; found = line.indexOf(THROW, found + 1))
      places.push({ line: at + 1, column: found })
  return places
}
