import { useSearchParams } from '@sonde/router'
import { savedText } from './saved-forms.ts'

/** What the last form did. In the address, so that it is said without JavaScript too. */
export function SavedNotice() {
  const [search] = useSearchParams()
  const text = savedText(search.get('saved'))
  return (
    <div role="status" className="saved-place">
      {text !== undefined && <p className="saved-notice">{text}</p>}
    </div>
  )
}
