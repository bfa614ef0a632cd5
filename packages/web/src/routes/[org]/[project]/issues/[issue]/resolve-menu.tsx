import { Form, useActionData } from '@sonde/router'
import { Menu } from '../../../../../shell/menu.tsx'
import { Icon } from '../../../../../ui/icon.tsx'
import type { IssueAction } from './change-issue.server.ts'

/** "Mended in": builds before that may go on sending the error without bringing the issue back. */
export function ResolveMenu({ release }: { readonly release: string }) {
  const outcome = useActionData<IssueAction>()
  const refused = outcome?.kind === 'refused' ? outcome.refused : undefined
  return (
    <>
      <Menu className="resolve-menu" button={<Icon name="down" />} label="Resolve in a release">
        {() => (
          <Form className="resolve-in" aria-label="Resolve in a release">
            <input type="hidden" name="status" value="resolved" />
            <button className="button" name="resolution" value="next_release">
              Resolve in the next release
            </button>
            <label>
              or in <input className="input" name="version" defaultValue={release} maxLength={200} required />
            </label>
            <button className="button" name="resolution" value="release">
              Resolve in that release
            </button>
          </Form>
        )}
      </Menu>
      {refused && (
        <p className="field-error" role="alert">
          {refused}
        </p>
      )}
    </>
  )
}
