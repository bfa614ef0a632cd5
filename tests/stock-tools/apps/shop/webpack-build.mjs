import { sentryWebpackPlugin } from '@sentry/webpack-plugin'
import webpack from 'webpack'

const { OUT_DIR = 'dist', SENTRY_DSN = '', SHOP_RELEASE } = process.env

const compiler = webpack({
  mode: 'production',
  context: import.meta.dirname,
  entry: './src/main.tsx',
  output: { path: OUT_DIR, filename: 'main.js' },
  devtool: 'hidden-source-map',
  performance: false,
  module: { rules: [{ test: /\.tsx?$/, loader: 'esbuild-loader', options: { jsx: 'automatic' } }] },
  plugins: [
    new webpack.DefinePlugin({ SHOP: JSON.stringify({ dsn: SENTRY_DSN, release: SHOP_RELEASE }) }),
    sentryWebpackPlugin({
      telemetry: false,
      sourcemaps: { filesToDeleteAfterUpload: `${OUT_DIR}/**/*.map` },
      ...(SHOP_RELEASE && { release: { name: SHOP_RELEASE } }),
    }),
  ],
})
compiler.run((error, stats) => {
  if (error || stats?.hasErrors()) {
    console.error(error ?? stats?.toString('errors-only'))
    process.exitCode = 1
  }
  compiler.close(() => {})
})
