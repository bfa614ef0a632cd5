type Props = {
  readonly waiting: number
  /** As many as a page has: there may be more. */
  readonly isPageFull: boolean
  readonly onShow: () => void
}

/** It has its place in the bar above the table, so that no row moves when it comes. */
export function NewIssuesBar({ waiting, isPageFull, onShow }: Props) {
  const text = `${waiting}${isPageFull ? ' or more' : ''} new`
  return (
    <div className="new-issues" role="status">
      {waiting > 0 && (
        <button type="button" className="button button-primary button-small" onClick={onShow}>
          {text} <span className="new-issues-hint">· show</span>
        </button>
      )}
    </div>
  )
}
