/** Frames that belong to a JavaScript engine, a bundler or an SDK: they say nothing about the error. */
import type { Frame } from '@sonde/protocol/event'

/** How promises, timers and compiled async functions call: they come and go with engine and compile target. */
const PLUMBING = new Set([
  'processTicksAndRejections',
  'process.processTicksAndRejections',
  'runMicrotasks',
  'queueMicrotask',
  'runNextTicks',
  'process.runNextTicks',
  'nextTick',
  'listOnTimeout',
  'processTimers',
  'asyncGeneratorStep',
  '_asyncToGenerator',
  '__awaiter',
  '__generator',
  'sentryWrapped',
  '__webpack_require__',
  'webpackJsonpCallback',
  '__webpack_modules__',
  'reportError',
])
const ENGINE_FILE =
  /^(?:node:|internal\/|\[native code\]|native code$|native$|eval code|<anonymous>$|index \d+$|wasm:)|^webpack\/(?:bootstrap|runtime)|webpack:\/\/\/?(?:[^/]*\/)?(?:\.\/)?webpack\/(?:bootstrap|runtime)/
const PACKAGE =
  /(?:^|[/\\])node_modules[/\\](?:\.pnpm[/\\][^/\\]+[/\\]node_modules[/\\])?(?:@sentry(?:-internal)?|@babel|core-js|regenerator-runtime|tslib|zone\.js)[/\\]/

export function isRuntimeFrame(frame: Frame): boolean {
  const name = frame.function ?? ''
  if (PLUMBING.has(name) || name === 'eval' || name.endsWith('.sentryWrapped')) return true
  if (name.startsWith('async Promise.') || name.startsWith('Promise.')) return true
  const path = frame.abs_path ?? ''
  const file = frame.filename ?? ''
  return ENGINE_FILE.test(file) || ENGINE_FILE.test(path) || PACKAGE.test(file) || PACKAGE.test(path)
}
