/** esbuild with `@sentry/esbuild-plugin`, which runs sentry-cli 2. */
import { testPluginWay } from './support/plugin-way.ts'

testPluginWay({ build: ['./esbuild-build.mjs'], needsPage: true })
