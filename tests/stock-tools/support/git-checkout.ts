/** A git repository: where a pipeline runs sentry-cli. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const AUTHOR = { name: 'Ada', email: 'ada@example.com' }

export type GitCheckout = {
  readonly folder: string
  /** Changes `coupon.ts`; the full id of the commit. */
  commit(message: string): string
  remove(): void
}

/** With one commit. */
export function gitCheckout(): GitCheckout {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-git-'))
  const git = (...words: string[]): string => {
    const who = ['-c', `user.name=${AUTHOR.name}`, '-c', `user.email=${AUTHOR.email}`]
    const done = spawnSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`git ${words.join(' ')} failed: ${done.stderr}`)
    return done.stdout.trim()
  }
  git('init', '--quiet')
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  const commit = (message: string): string => {
    writeFileSync(join(folder, 'coupon.ts'), `// ${message}\n`)
    git('add', '--', 'coupon.ts')
    git('commit', '--quiet', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  commit('Start of the shop')
  return { folder, commit, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
