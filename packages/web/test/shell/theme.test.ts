import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDocument } from '../../src/server/document.server.ts'
import { themeCookie, themeFromCookies } from '../../src/shell/theme.ts'

test('a theme is read from among other cookies; anything else leaves it to the system', () => {
  assert.equal(themeFromCookies('a=1; sonde_theme=dark; b=2'), 'dark')
  assert.equal(themeFromCookies('sonde_theme=light'), 'light')
  for (const cookies of [null, '', 'x_sonde_theme=dark', 'sonde_theme=', 'sonde_theme=pink'])
    assert.equal(themeFromCookies(cookies), 'system', String(cookies))
})

test('going back to the system forgets the cookie', () => {
  assert.match(themeCookie('dark'), /^sonde_theme=dark; Path=\/; SameSite=Lax; Max-Age=\d{8}$/)
  assert.match(themeCookie('system'), /Max-Age=0$/)
})

test('the first HTML has the theme that was chosen, and no other text of the cookie', () => {
  const shown = (cookie: string) =>
    createDocument(() => undefined)({
      request: new Request('http://sonde.test/', { headers: { cookie } }),
      context: undefined,
    }).htmlAttributes
  assert.deepEqual(shown('sonde_theme=dark'), { 'data-theme': 'dark' })
  assert.deepEqual(shown('sonde_theme="><script>'), {})
})
