/** Uploads that would never make a frame readable are refused, so that a build says it and not a person weeks later. */
import { BundleError } from '@sonde/stores'
import type { FileFields } from './bundle-files.ts'

/** Throws `BundleError`. */
export function checkBundle(files: readonly FileFields[], release: string): void {
  if (files.length === 0)
    throw new BundleError('the upload has no scripts or source maps: was the folder the right one?')
  const maps = files.filter(({ type }) => type === 'source_map')
  const usable = maps.filter(({ problem }) => problem === '' || problem === 'no_sources')
  const [broken] = maps
  // One broken map among good ones is shown beside them; a build of nothing but broken ones is stopped.
  if (broken && usable.length === 0) {
    const others = maps.length > 1 ? ` (and ${maps.length - 1} more maps that cannot be read)` : ''
    throw new BundleError(`${broken.url} cannot be read as a source map: ${broken.problem_detail}${others}`)
  }
  if (release === '' && files.every(({ debug_id: id }) => id === ''))
    throw new BundleError(
      'the files have no debug ids and no release, so nothing would find them: run "sentry-cli sourcemaps inject" on them before the build is deployed, or name a release with --release',
    )
}
