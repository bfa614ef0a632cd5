/**
 * The entry of `sonde.js`, for pages without a build: everything the reporter has, started from the attributes of its
 * own tag, and as `window.Sonde` for what the page wants to say itself. Without `data-dsn` the page calls
 * `Sonde.init` when it likes.
 */
import { init } from '../index.ts'
import { ALL_FEATURES } from './all-features.ts'
import { readAttributes } from './read-attributes.ts'

export * from '../index.ts'
export { ALL_FEATURES as features }

// Set only while a classic script runs for the first time; `async` and `defer` make no difference.
const { currentScript } = document
if (currentScript?.dataset['dsn']) init({ ...readAttributes(currentScript.dataset), features: ALL_FEATURES })
