/**
 * Builds the documentation into `dist/docs`: each page as HTML, its pictures, styles and scripts under names that change with
 * their bytes, all compressed ahead, and `site.json`, by which Sonde answers (packages/server/src/front/docs-site.ts). Why this
 * generator: docs/decisions/0110-the-documentation-is-served-by-sonde.md.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { rolldown } from 'rolldown'
import { type Extra, layout, type Shell } from './layout.ts'
import { BASE, type Page, readPages } from './pages.ts'
import { hashedName, openPictures } from './pictures.ts'
import { renderPages } from './render.ts'
import { searchIndex } from './search-index.ts'

const compressed = { br: promisify(brotliCompress), gz: promisify(gzip) }
// Of 11: the last steps take ten times as long for a twentieth of the bytes.
const BROTLI_QUALITY = 7

/** One file of the site as `site.json` has it: `bytes` and `tag` of its plain form, and the codings in which it lies there too. */
type Entry = {
  readonly file: string
  readonly type: string
  readonly isHashed: boolean
  readonly tag: string
  readonly codings: readonly ('br' | 'gz')[]
}
type Out = {
  readonly file: string
  readonly type: string
  readonly isHashed: boolean
  readonly bytes: string | Buffer
}

const EXTRAS: readonly (Extra & { readonly html: string })[] = [
  {
    path: '404',
    title: 'No such page',
    html: '<h1>No such page</h1><p>The documentation of this Sonde has no page at this address. The search above knows all that it has.</p>',
  },
  {
    path: 'search',
    title: 'Search',
    html: '<h1>Search</h1><div class="results"><noscript><p>The search runs in the browser and needs JavaScript.</p></noscript></div>',
  },
]

export async function buildDocsSite(root: string, outDir: string): Promise<void> {
  const pages = readPages(root)
  const pictures = openPictures(root)
  const [rendered, style, theme, search, version] = await Promise.all([
    renderPages(root, pages, pictures),
    styleSheet(root),
    script(root, 'theme'),
    script(root, 'search'),
    versionOf(root),
  ])
  const index = searchIndex(rendered)
  const asset = (name: string, type: string, bytes: string | Buffer): Out & { url: string } => {
    const file = `assets/${hashedName(name, bytes)}`
    return { file, type, isHashed: true, bytes, url: BASE + file }
  }
  const assets = {
    style: asset('site.css', 'text/css; charset=utf-8', style),
    theme: asset('theme.js', 'text/javascript; charset=utf-8', theme),
    search: asset('search.js', 'text/javascript; charset=utf-8', search),
    index: asset('search.json', 'application/json', index),
  }
  const { style: s, theme: t, search: f, index: i } = assets
  const shell: Shell = { pages, version, assets: { style: s.url, theme: t.url, search: f.url, index: i.url } }
  const html = (page: Page | Extra, content: string): Out => ({
    file: `${page.path === '' ? 'index' : page.path}.html`,
    type: 'text/html; charset=utf-8',
    isHashed: false,
    bytes: layout(page, content, shell),
  })
  const shown = pictures.used().map(({ url, type, bytes }): Out => ({
    file: url.slice(BASE.length),
    type,
    isHashed: true,
    bytes,
  }))
  await write(outDir, [
    ...rendered.map(({ page, html: content }) => html(page, content)),
    ...EXTRAS.map((extra) => html(extra, extra.html)),
    ...Object.values(assets),
    ...shown,
  ])
}

/** The values and elements of the screens, then what only the documentation has. */
async function styleSheet(root: string): Promise<string> {
  const files = [
    'packages/web/src/styles/tokens.css',
    'packages/web/src/styles/base.css',
    'scripts/docs-site/site.css',
  ]
  const sheets = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  return sheets.join('\n')
}

async function script(root: string, name: string): Promise<string> {
  const bundle = await rolldown({
    input: join(root, 'scripts', 'docs-site', 'browser', `${name}.ts`),
    cwd: root,
    platform: 'browser',
    transform: { target: 'es2022' },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return output[0].code
}

async function versionOf(root: string): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

async function write(outDir: string, files: readonly Out[]): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  const entries = await Promise.all(
    files.map(async ({ file, type, isHashed, bytes }): Promise<Entry> => {
      const place = join(outDir, file)
      const plain = Buffer.from(bytes)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, plain)
      const codings = type.startsWith('image/') ? [] : (['br', 'gz'] as const)
      for (const coding of codings) {
        const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
        await writeFile(`${place}.${coding}`, await compressed[coding](plain, { params, level: 9 }))
      }
      const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
      return { file, type, isHashed, tag, codings }
    }),
  )
  await writeFile(join(outDir, 'site.json'), JSON.stringify(entries))
}
