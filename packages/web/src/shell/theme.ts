/**
 * The theme is in a cookie, so that the server writes it into the first HTML: nothing flashes. Without the cookie the
 * system decides, by the media query.
 */
export const THEMES = [
  { id: 'system', name: 'System' },
  { id: 'light', name: 'Light' },
  { id: 'dark', name: 'Dark' },
] as const
export type Theme = (typeof THEMES)[number]['id']

const COOKIE = 'sonde_theme'
const YEAR_SEC = 31_536_000

export const isTheme = (text: unknown): text is Theme => THEMES.some(({ id }) => id === text)

/** From a `Cookie` header or `document.cookie`. */
export function themeFromCookies(cookies: string | null): Theme {
  const value = cookies
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name]) => name === COOKIE)?.[1]
  return isTheme(value) ? value : 'system'
}

/** For `Set-Cookie` and `document.cookie`: nothing secret, so scripts may write it. */
export const themeCookie = (theme: Theme): string =>
  `${COOKIE}=${theme}; Path=/; SameSite=Lax; Max-Age=${theme === 'system' ? 0 : YEAR_SEC}`

/** Shows and remembers it. In the browser only. */
export function setTheme(theme: Theme): void {
  document.cookie = themeCookie(theme)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Calls back when other colours are shown: what is drawn on a canvas has to be drawn again. Returns how to stop. */
export function onThemeChange(listener: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(listener)
  system.addEventListener('change', listener)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', listener)
    chosen.disconnect()
  }
}
