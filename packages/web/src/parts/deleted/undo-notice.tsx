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
  const id = Number(search.get('deleted'))
  // Its own words: all those of the settings would come with every list of issues.
  if (!id)
    return search.get('saved')?.endsWith('-restored') ? (
      <p role="status" className="undo-notice">
        Restored.
      </p>
    ) : null
  return (
    <Form action={listPath} className="undo-notice">
      <span role="status">{text} It can be restored for a day.</span>
      <input type="hidden" name="id" value={id} />
      <button type="submit" name="does" value="undo" className="button button-small">
        Undo
      </button>
      <Link className="text-link" to={listPath}>
        Recently deleted
      </Link>
    </Form>
  )
}
