/** webpack with `@sentry/webpack-plugin`, TypeScript through esbuild-loader, minified by terser as webpack does. */
import { testPluginWay } from './support/plugin-way.ts'

testPluginWay({ build: ['./webpack-build.mjs'], needsPage: true })
