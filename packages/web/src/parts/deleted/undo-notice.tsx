import './undo-notice.css'
import { Form, Link, useSearchParams } from '@sonde/router'

type UndoNoticeProps = {
  /** Of the list of what was deleted: it takes the form. */
  readonly listPath: string
  /** What it says: `Project deleted.` */
  readonly text: string
}

/** Above the page to which a deletion led (`?deleted=…` in its address): what was done, and the way back. */
export function UndoNotice({ listPath, text }: UndoNoticeProps) {
  const [search] = useSearchParams()
  const id = search.get('deleted')
  // Its own words: all those of the settings would come with every list of issues.
  if (id === null || !/^\d{1,15}$/.test(id)) {
    const isRestored = search.get('saved')?.endsWith('-restored')
    return isRestored ? (
      <p role="status" className="undo-notice">
        Restored, with all events.
      </p>
    ) : null
  }
  return (
    <Form action={listPath} className="undo-notice">
      <span role="status">{text} It can be restored for a day.</span>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="from" value="list" />
      <button type="submit" name="does" value="restore" className="button button-small">
        Undo
      </button>
      <Link className="text-link" to={listPath}>
        Recently deleted
      </Link>
    </Form>
  )
}
