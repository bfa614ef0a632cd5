import { Form } from '@sonde/router'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'

export type UserMenuProps = { readonly viewer: { readonly name: string; readonly email: string } }

/** A popover of the platform: opens, closes by Escape or a press beside it, and needs no JavaScript. */
export function UserMenu({ viewer }: UserMenuProps) {
  return (
    <div className="user-menu">
      <button
        type="button"
        className="button button-quiet"
        popoverTarget="user-menu"
        aria-label={`Account: ${viewer.email}`}
      >
        <Icon name="person" />
      </button>
      <div id="user-menu" popover="auto" className="popover">
        <p className="user-menu-who">
          <bdi title={viewer.name}>{viewer.name}</bdi>
          <bdi className="muted" title={viewer.email}>
            {viewer.email}
          </bdi>
        </p>
        <Form action={paths.signOut()}>
          <button type="submit" className="button">
            Sign out
          </button>
        </Form>
      </div>
    </div>
  )
}
