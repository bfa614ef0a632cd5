/** Runs before anything is drawn: the theme that was chosen in Sonde's screens or here, from the same cookie. */
import { isTheme, setTheme, themeFromCookies } from '../../../packages/web/src/shell/theme.ts'

const root = document.documentElement
const chosen = themeFromCookies(document.cookie)
if (chosen !== 'system') root.dataset['theme'] = chosen

document.addEventListener('DOMContentLoaded', () => {
  const group = document.querySelector<HTMLElement>('.themes')
  if (!group) return
  const buttons = [...group.querySelectorAll<HTMLButtonElement>('button')]
  const show = (): void => {
    const theme = themeFromCookies(document.cookie)
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.dataset['choice'] === theme))
  }
  for (const button of buttons)
    button.addEventListener('click', () => {
      const choice = button.dataset['choice']
      if (isTheme(choice)) setTheme(choice)
      show()
    })
  show()
  // Without scripts there is nothing to press.
  group.hidden = false
})
