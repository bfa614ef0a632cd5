/** Without a plugin: what a team has that uploads with sentry-cli. `LAYOUT=other`: as the next release would be. */
import { build } from 'esbuild'

const { OUT_DIR = 'dist', SENTRY_DSN = '', SHOP_RELEASE, LAYOUT } = process.env

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/main.tsx'],
  outdir: OUT_DIR,
  bundle: true,
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  jsx: 'automatic',
  // Two releases of a page are never the same code: its lines and its short names differ.
  banner: { js: LAYOUT === 'other' ? 'var shopNews=[1,2,3];\n' : '' },
  minifyIdentifiers: LAYOUT !== 'other',
  define: {
    SHOP: JSON.stringify({ dsn: SENTRY_DSN, release: SHOP_RELEASE }),
    'process.env.NODE_ENV': '"production"',
  },
})
