/** Paths as they come, and what of them stays over a deploy. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stableFunction } from '../../src/group/v1/frame.ts'
import { hasAssetHash, stablePath } from '../../src/group/v1/stable-path.ts'

const PATHS: readonly (readonly [string, string])[] = [
  ['https://cdn.test/_next/static/chunks/app/cart/page-4f3a9b21.js?v=3', 'app/cart/page.js'],
  ['/assets/index-BxK3p_9d.js', 'assets/index.js'],
  ['/assets/About-DkT8vxQa.js', 'assets/about.js'],
  ['/assets/index-BeWVAd63.js', 'assets/index.js'],
  ['/static/js/main.3f2a9c1b.chunk.js', 'static/js/main.js'],
  ['/static/js/123.4abcd12.chunk.js', 'static/js'],
  ['/_nuxt/entry.b8f5c5f3.mjs', '_nuxt/entry.mjs'],
  ['/jquery-3.6.0.min.js', 'jquery.js'],
  ['/assets/dashboard-settings.js', 'assets/dashboard-settings.js'],
  ['C:\\app\\src\\Program.cs', 'app/src/program.cs'],
  ['/a/node_modules/.pnpm/react-dom@18.2.0/node_modules/react-dom/cjs/index.js', 'react-dom/cjs/index.js'],
  ['/usr/lib/python3.11/site-packages/django/core/handlers/base.py', 'core/handlers/base.py'],
  ['/go/pkg/mod/github.com/lib/pq@v1.10.0/conn.go', 'lib/pq/conn.go'],
  ['/usr/lib/ruby/gems/3.2.0/gems/rails-7.0.4/lib/x.rb', 'rails/lib/x.rb'],
  ['webpack://shop/./src/a.ts', 'src/a.ts'],
  ['/data/releases/20140114151955/app/views/foo.html.erb', 'app/views/foo.html.erb'],
  ['app:///index.android.bundle', 'index.android.bundle'],
  ['', ''],
]
describe('a path', () => {
  for (const [path, expected] of PATHS) it(path || '(empty)', () => assert.equal(stablePath(path), expected))
  it('with a word at its end has no hash', () => {
    const words =
      'dashboard-settings my-OAuthBox x-UserForm a-user_row chunk-vendor42 DataTable-Row date-fns.es feedback'
    for (const word of words.split(' ')) assert.equal(hasAssetHash(`${word}.js`), false, word)
  })
})

const FUNCTIONS: readonly (readonly ['javascript' | 'native' | 'other', string, string])[] = [
  ['javascript', 'Object.handleClick', 'handleClick'],
  ['javascript', 'async Cart.save [as commit]', 'save'],
  ['javascript', 'outer/<', ''],
  ['javascript', 'render$1', 'render'],
  ['javascript', 'Hn', ''],
  ['javascript', '<anonymous>', ''],
  ['other', 'block (2 levels) in save', 'save'],
  ['other', '_app_views_orders_show_html_erb__123_4567', '_app_views_orders_show_html_erb'],
  ['other', 'lambda$work$1', 'lambda$work'],
  ['other', 'main.run.func2.1', 'main.run.func'],
  ['other', 'class@anonymous/srv/a.php:12$0::handle', 'class@anonymous::handle'],
  ['other', '<LoadAsync>d__3.MoveNext', 'LoadAsync'],
  ['native', 'std::vector<int, std::allocator<int>>::push_back(int const&)', 'std::vector::push_back'],
  ['native', 'core::panicking::panic::h0123456789abcdef', 'core::panicking::panic'],
  ['native', '-[Cart save:]', '-[Cart save:]'],
  ['native', '<redacted>', ''],
]
describe('a function', () => {
  for (const [family, name, expected] of FUNCTIONS)
    it(`${family}: ${name}`, () => assert.equal(stableFunction(name, family), expected))
})
