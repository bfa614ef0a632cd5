/** Small applications, bundled and minified by rolldown, and what is uploaded of them. */
import { rolldown } from 'rolldown'

export type BuiltApp = { readonly code: string; readonly map: string }

/** `files` by path; the first is the entry. Nothing of it is read from the disk. */
export async function buildApp(
  files: Readonly<Record<string, string>>,
  format: 'iife' | 'esm' | 'cjs' = 'iife',
): Promise<BuiltApp> {
  const [entry = ''] = Object.keys(files)
  const bundle = await rolldown({
    input: entry,
    logLevel: 'silent',
    platform: format === 'cjs' ? 'node' : 'browser',
    plugins: [
      {
        name: 'memory',
        resolveId: (id) => {
          const name = id.replace(/^(?:\.\.?\/)+/, '')
          return Object.keys(files).find((path) => path === id || path.endsWith(name)) ?? null
        },
        load: (id) => files[id] ?? null,
      },
    ],
  })
  const { output } = await bundle.generate({ format, name: 'app', minify: true, sourcemap: true })
  const [chunk] = output
  await bundle.close()
  return { code: chunk.code, map: JSON.stringify(chunk.map) }
}

/** Line and column, from 1, of a text in generated code. */
export function placeOfText(code: string, text: string): { readonly lineno: number; readonly colno: number } {
  const at = code.indexOf(text)
  if (at === -1) throw new Error(`${text} is not in the code`)
  const before = code.slice(0, at).split('\n')
  return { lineno: before.length, colno: (before.at(-1)?.length ?? 0) + 1 }
}
