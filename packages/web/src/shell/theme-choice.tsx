import { useSyncExternalStore, type MouseEvent } from 'react'
import { paths } from '../paths.ts'
import { onThemeChange, setTheme, THEMES, themeFromCookies, type Theme } from './theme.ts'

/** A form that works without JavaScript; with it the page stays as it is. `initial`: what the server read. */
export function ThemeChoice({ initial }: { readonly initial: Theme }) {
  const chosen = useSyncExternalStore(
    onThemeChange,
    () => themeFromCookies(document.cookie),
    () => initial,
  )
  const choose = (event: MouseEvent, theme: Theme): void => {
    event.preventDefault()
    setTheme(theme)
  }
  return (
    <form method="post" action={paths.theme()} className="theme-choice">
      <fieldset>
        <legend>Theme</legend>
        <div className="segmented segmented-small">
          {THEMES.map(({ id, name }) => (
            <button
              key={id}
              type="submit"
              name="theme"
              value={id}
              aria-pressed={chosen === id}
              onClick={(event) => choose(event, id)}
            >
              {name}
            </button>
          ))}
        </div>
      </fieldset>
    </form>
  )
}
