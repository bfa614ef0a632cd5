import type { Frame } from '@sonde/protocol/event'

/**
 * Which frames are not the user's own code, per platform, for SDKs that do not say. Each rule looks at one field:
 * `path` is `abs_path` and `filename` with `/` as separator. A frame that no rule names is the user's.
 */
type InAppRule = {
  readonly field: 'path' | 'module' | 'function' | 'package'
  readonly test: 'prefix' | 'suffix' | 'contains' | 'equals'
  readonly values: readonly string[]
}

const JAVASCRIPT: readonly InAppRule[] = [
  {
    field: 'path',
    test: 'contains',
    values: [
      '/node_modules/',
      '/~/',
      'node_modules/',
      '/vendor/',
      'webpack/bootstrap',
      'webpack/runtime',
      'webpack/buildin',
      '(webpack)',
      'webpack-internal:///./node_modules',
      '/@vite/',
      '/@react-refresh',
      '@id/__x00__',
      '//unpkg.com/',
      '//cdnjs.cloudflare.com/',
      '//cdn.jsdelivr.net/',
      '//esm.run/',
      '//esm.sh/',
      '//cdn.skypack.dev/',
      '//ajax.googleapis.com/',
      '//code.jquery.com/',
      '//www.googletagmanager.com/',
      '//www.google-analytics.com/',
      '//connect.facebook.net/',
      '//js.stripe.com/',
    ],
  },
  {
    field: 'path',
    test: 'prefix',
    values: [
      'node:',
      'internal/',
      'chrome-extension://',
      'moz-extension://',
      'safari-extension://',
      'safari-web-extension://',
      'webkit-masked-url://',
      'native code',
      '[native code]',
      '<anonymous>',
      'node_modules/',
    ],
  },
  {
    field: 'path',
    test: 'equals',
    values: ['native', 'native code', 'eval code', '[native code]', 'anonymous'],
  },
  { field: 'function', test: 'equals', values: ['[native code]'] },
  {
    field: 'module',
    test: 'prefix',
    values: ['unpkg/', '@babel/', 'core-js/', 'regenerator-runtime/', 'tslib/', 'zone.js/', 'node:'],
  },
]

const PYTHON: readonly InAppRule[] = [
  {
    field: 'path',
    test: 'contains',
    values: [
      '/site-packages/',
      '/dist-packages/',
      '/lib/python',
      '/lib64/python',
      '/python.framework/',
      'importlib._boot',
    ],
  },
  { field: 'path', test: 'prefix', values: ['<frozen ', 'site-packages/', 'dist-packages/'] },
]

const JAVA: readonly InAppRule[] = [
  {
    field: 'module',
    test: 'prefix',
    values: [
      'java.',
      'javax.',
      'jdk.',
      'sun.',
      'com.sun.',
      'jakarta.',
      'kotlin.',
      'kotlinx.',
      'scala.',
      'groovy.',
      'clojure.',
      'android.',
      'androidx.',
      'com.android.',
      'dalvik.',
      'libcore.',
      'io.sentry.',
      'org.apache.',
      'org.springframework.',
      'org.hibernate.',
      'org.eclipse.jetty.',
      'org.junit.',
      'io.netty.',
      'reactor.',
    ],
  },
]

const RUBY: readonly InAppRule[] = [
  {
    field: 'path',
    test: 'contains',
    values: ['/gems/', '/lib/ruby/', '/rubygems/', '/vendor/bundle/', '/.rbenv/versions/'],
  },
  { field: 'path', test: 'prefix', values: ['<internal:', 'gems/'] },
]

const GO_STD = [
  'bufio bytes context crypto database encoding errors fmt hash html image internal io log math mime net os path',
  'reflect regexp runtime sort strconv strings sync syscall testing text time unicode unsafe vendor',
].flatMap((line) => line.split(' '))

const GO: readonly InAppRule[] = [
  {
    field: 'path',
    test: 'contains',
    values: ['/pkg/mod/', '/vendor/', '/usr/local/go/src/', '/go/src/runtime/', '/libexec/src/'],
  },
  { field: 'module', test: 'equals', values: GO_STD },
  {
    field: 'module',
    test: 'prefix',
    values: [...GO_STD.map((name) => `${name}/`), 'github.com/getsentry/sentry-go'],
  },
]

const DOTNET: readonly InAppRule[] = [
  {
    field: 'module',
    test: 'prefix',
    values: [
      'System.',
      'Microsoft.',
      'Mono.',
      'MS.',
      'Windows.',
      'Sentry.',
      'Serilog.',
      'Newtonsoft.',
      'UnityEngine.',
      'UnityEditor.',
      'Interop.',
    ],
  },
  {
    field: 'package',
    test: 'prefix',
    values: ['System.', 'Microsoft.', 'mscorlib', 'netstandard', 'UnityEngine'],
  },
]

const NATIVE: readonly InAppRule[] = [
  {
    field: 'package',
    test: 'prefix',
    values: [
      '/usr/',
      '/lib/',
      '/lib64/',
      '/system/',
      '/System/',
      '/Library/',
      '/apex/',
      '/vendor/',
      'C:/Windows/',
      'C:/WINDOWS/',
      'c:/windows/',
    ],
  },
  {
    field: 'package',
    test: 'contains',
    values: [
      '/Windows/System32/',
      '/Developer/Symbols/',
      '/Xcode.app/',
      '/usr/lib/',
      '/System/Library/',
      '/libc.so',
      '/libart.so',
    ],
  },
  {
    field: 'package',
    test: 'equals',
    values: [
      'libsystem_kernel.dylib',
      'libdispatch.dylib',
      'UIKit',
      'UIKitCore',
      'CoreFoundation',
      'Foundation',
      'GraphicsServices',
    ],
  },
]

const BY_PLATFORM = new Map<string, readonly InAppRule[]>([
  ['javascript', JAVASCRIPT],
  ['node', JAVASCRIPT],
  ['python', PYTHON],
  ['java', JAVA],
  ['kotlin', JAVA],
  ['groovy', JAVA],
  ['clojure', JAVA],
  ['ruby', RUBY],
  ['go', GO],
  ['csharp', DOTNET],
  ['powershell', DOTNET],
  [
    'php',
    [
      { field: 'path', test: 'contains', values: ['/vendor/', 'vendor/composer/'] },
      { field: 'path', test: 'equals', values: ['[internal]'] },
    ],
  ],
  [
    'elixir',
    [{ field: 'path', test: 'contains', values: ['/deps/', 'deps/', '/lib/elixir/', '/erlang/lib/'] }],
  ],
  ['perl', [{ field: 'path', test: 'contains', values: ['/perl5/', '/share/perl/', '/lib/perl/'] }]],
  [
    'dart',
    [
      {
        field: 'path',
        test: 'prefix',
        values: ['dart:', 'package:flutter/', 'package:sentry', 'org-dartlang-sdk:'],
      },
    ],
  ],
  [
    'rust',
    [
      {
        field: 'function',
        test: 'prefix',
        values: [
          'std::',
          'core::',
          'alloc::',
          'backtrace::',
          'sentry::',
          'sentry_',
          'rust_begin_unwind',
          '__rust_',
        ],
      },
    ],
  ],
  ['native', NATIVE],
  ['cocoa', NATIVE],
  ['objc', NATIVE],
  ['c', NATIVE],
  ['swift', NATIVE],
])

/** A platform we know nothing of may still be one of those whose paths speak for themselves. */
const UNKNOWN_PLATFORM: readonly InAppRule[] = [
  {
    field: 'path',
    test: 'contains',
    values: ['/node_modules/', '/site-packages/', '/dist-packages/', '/gems/', '/pkg/mod/'],
  },
  { field: 'path', test: 'prefix', values: ['node:'] },
]

function inAppRulesOf(platform: string): readonly InAppRule[] {
  return BY_PLATFORM.get(platform) ?? UNKNOWN_PLATFORM
}

/** Frames of these platforms without package and path are bare addresses: nobody's code that we could name. */
function isAddressPlatform(platform: string): boolean {
  return BY_PLATFORM.get(platform) === NATIVE
}

type Site = Pick<Frame, 'abs_path' | 'filename' | 'module' | 'function' | 'package'>

/** Whether a frame is the user's own code, by the rules of its platform; only for frames whose SDK did not say. */
export function isInApp(frame: Site, platform: string): boolean {
  const absPath = slashes(frame.abs_path)
  const filename = slashes(frame.filename)
  const pack = slashes(frame.package)
  const matches = (rule: InAppRule) => {
    if (rule.field === 'path') return test(rule, absPath) || test(rule, filename)
    return test(rule, rule.field === 'package' ? pack : frame[rule.field])
  }
  if (inAppRulesOf(platform).some(matches)) return false
  if (!isAddressPlatform(platform)) return true
  return pack !== undefined || filename !== undefined || absPath !== undefined
}

function slashes(path: string | undefined): string | undefined {
  return path?.includes('\\') ? path.replaceAll('\\', '/') : path
}

function test(rule: InAppRule, value: string | undefined): boolean {
  if (value === undefined) return false
  for (const wanted of rule.values) {
    if (rule.test === 'prefix' && value.startsWith(wanted)) return true
    if (rule.test === 'contains' && value.includes(wanted)) return true
    if (rule.test === 'suffix' && value.endsWith(wanted)) return true
    if (rule.test === 'equals' && value === wanted) return true
  }
  return false
}
