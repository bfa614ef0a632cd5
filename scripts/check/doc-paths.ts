/** A path of this repository that a page names must be there: whoever follows it would search for what is gone. */
import { dirname, join } from 'node:path'

/** Folders whose content a path in backticks means; the rest of what stands in backticks is code. */
const TOP = ['packages', 'scripts', 'tests', 'bench', 'examples', 'docs', 'fixtures', 'deploy']
/** Made by a build or a run. */
const MADE = /\/(dist|data|node_modules)(\/|$)/

/** `pages`: path of the page from the root → text. */
export function checkDocPaths(
  pages: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): string[] {
  return [...pages].flatMap(([page, text]) => {
    const paths = [
      ...[...text.matchAll(/`([^`\s]+)`/g)].map((found) => found[1] ?? '').filter(isPath),
      ...[...text.matchAll(/\]\(([^)#\s]+)/g)]
        .map((found) => found[1] ?? '')
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => join(dirname(page), decodeURI(link))),
    ]
    return [...new Set(paths)]
      .flatMap(expand)
      .filter((path) => !exists(path.replace(/\/$/, '')))
      .map((path) => `${page}: ${path} is not there`)
  })
}

function isPath(text: string): boolean {
  const [top = '', ...rest] = text.split('/')
  return TOP.includes(top) && rest.length > 0 && !/[*<>…$:=?]|\/vN/.test(text) && !MADE.test(text)
}

/** `a/{b,c}.ts` names two files. */
function expand(path: string): string[] {
  const found = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path)
  if (!found) return [path]
  const [, before = '', inner = '', after = ''] = found
  return inner.split(',').flatMap((one) => expand(`${before}${one}${after}`))
}
