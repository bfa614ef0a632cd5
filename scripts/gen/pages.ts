/** The reference pages that are made from the code; `npm run gen` writes them, `npm run check` compares. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SETTINGS } from '@sonde/server/settings'
import { apiPage } from './api-page.ts'
import { cliPage } from './cli-page.ts'
import { outcomesPage } from './outcomes-page.ts'
import { sourcemapsPage } from './sourcemaps-page.ts'
import { sqlPage } from './sql-page.ts'

/** Path from the root → text. */
export type Pages = ReadonlyMap<string, string>

export async function generatedPages(): Promise<Pages> {
  return new Map([
    ['docs/reference/cli.md', cliPage()],
    ['docs/reference/api.md', await apiPage()],
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/outcomes.md', outcomesPage()],
    ['docs/reference/sourcemaps-cli.md', sourcemapsPage()],
    ['docs/reference/sql.md', sqlPage()],
  ])
}

export function stalePages(root: string, pages: Pages): string[] {
  return [...pages].flatMap(([path, text]) => {
    const there = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
    return there === text ? [] : [`${path} differs from the code: npm run gen`]
  })
}

export function writePages(root: string, pages: Pages): void {
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function configurationPage(): string {
  const rows = Object.values(SETTINGS).map(
    ({ name, fallback, allowed, help }) =>
      `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${allowed} | ${help} |`,
  )
  return [
    '# Configuration',
    '',
    'Made by `npm run gen` from `packages/server/src/config/settings.ts`. A value that is not allowed stops the start.',
    '',
    '| variable | default | allowed | what it does |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
