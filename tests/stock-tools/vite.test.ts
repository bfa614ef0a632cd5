/** Vite with `@sentry/vite-plugin`. */
import { testPluginWay } from './support/plugin-way.ts'

testPluginWay({
  build: ['vite', 'build'],
  needsPage: false,
  // Vite's minifier leaves out the `new`.
  expected: { words: { thrown: 'RangeError(' } },
})
