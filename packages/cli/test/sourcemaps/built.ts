/** A small application, really built: minified by Vite, with maps, in a folder of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

export const CART = `export type Cart = { readonly total?: number }

export function recalculate(cart: Cart): number {
  if (cart.total === undefined) throw new Error('no total in the cart')
  return cart.total * 2
}
`
const MAIN = `'use strict'
import { recalculate } from './cart.ts'

function checkout(): number {
  return recalculate({})
}
globalThis.checkout = checkout
`

type Options = { readonly sourcemap?: boolean | 'inline' | 'hidden'; readonly banner?: string }

export async function builtApp(
  t: { after(run: () => void): void },
  { sourcemap = true, banner = '' }: Options = {},
): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-built-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(join(dir, 'src'))
  writeFileSync(join(dir, 'src', 'cart.ts'), CART)
  writeFileSync(join(dir, 'src', 'main.ts'), MAIN)
  await build({
    root: dir,
    configFile: false,
    logLevel: 'error',
    build: {
      sourcemap,
      modulePreload: false,
      rolldownOptions: {
        input: join(dir, 'src', 'main.ts'),
        output: { entryFileNames: 'main.js', banner, format: 'iife' },
      },
    },
  })
  return join(dir, 'dist')
}

/** A site with a page, an entry, and two chunks that are loaded later and share a third; `base`: where it lies. */
export async function builtSite(t: { after(run: () => void): void }, base: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-site-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const files = {
    'index.html': '<!doctype html><title>shop</title><script type="module" src="/entry.ts"></script>',
    'entry.ts': `addEventListener('click', () => Promise.all([import('./later.ts'), import('./cart-page.ts')]))`,
    'later.ts': `import { recalculate } from './cart.ts'\nconsole.log('later', recalculate({ total: 1 }))`,
    'cart-page.ts': `import { recalculate } from './cart.ts'\nconsole.log('cart', recalculate({ total: 2 }))`,
    'cart.ts': CART,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  await build({ root: dir, base, configFile: false, logLevel: 'error', build: { sourcemap: 'hidden' } })
  return join(dir, 'dist')
}
