import { Form, Link } from '@sonde/router'
import { type MouseEvent, useSyncExternalStore } from 'react'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from './menu.tsx'
import { onThemeChange, setTheme, type Theme, themeFromCookies, THEMES } from './theme.ts'

export type UserMenuProps = {
  readonly viewer: { readonly name: string; readonly email: string; readonly isOperator: boolean }
  readonly theme: Theme
}

/** Who is signed in, and what is theirs. */
export function UserMenu({ viewer, theme }: UserMenuProps) {
  return (
    <Menu className="user-menu" button={<Icon name="person" />} label={`Account: ${viewer.email}`}>
      {() => (
        <>
          <p className="user-menu-who">
            <bdi title={viewer.name}>{viewer.name}</bdi>
            <bdi className="muted" title={viewer.email}>
              {viewer.email}
            </bdi>
          </p>
          <ul className="menu-list">
            <li>
              <Link to={paths.account()} prefetch="intent">
                Account
              </Link>
            </li>
            <li>
              <Link to={paths.notifications()} prefetch="intent">
                Notification settings
              </Link>
            </li>
            {viewer.isOperator && (
              <>
                <li>
                  <Link to={paths.status()} prefetch="intent">
                    System status
                  </Link>
                </li>
                <li>
                  <Link to={paths.storage()} prefetch="intent">
                    Storage
                  </Link>
                </li>
                <li>
                  <Link to={paths.backups()} prefetch="intent">
                    Backups
                  </Link>
                </li>
                <li>
                  <Link to={paths.installationAudit()} prefetch="intent">
                    Audit log of the installation
                  </Link>
                </li>
              </>
            )}
            <li>
              <a href={paths.docs()}>Documentation</a>
            </li>
          </ul>
          <ThemeChoice initial={theme} />
          <Form action={paths.signOut()} className="menu-foot">
            <button type="submit" className="button">
              Sign out
            </button>
          </Form>
        </>
      )}
    </Menu>
  )
}

/** A form that works without JavaScript; with it the page stays as it is. `initial`: what the server read. */
function ThemeChoice({ initial }: { readonly initial: Theme }) {
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
