/**
 * What somebody types into a text area before the page's code is there. React puts the server's text back when it takes
 * the page over, and no handler hears of what was typed before.
 */

/** Past React's own property, which would take the value for one that it has set. */
const setValue = (area: HTMLTextAreaElement, value: string): void =>
  void Reflect.set(HTMLTextAreaElement.prototype, 'value', value, area)

/** Call before React takes over; what it returns, once it has, gives the texts back and tells of them by `input` events. */
export function keepEarlyText(root: HTMLElement): () => void {
  const typed = new Map<HTMLTextAreaElement, string>()
  const keep = (area: HTMLTextAreaElement): void => void typed.set(area, area.value)
  for (const area of root.querySelectorAll('textarea')) if (area.value !== area.defaultValue) keep(area)
  const listener = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) keep(target)
  }
  root.addEventListener('input', listener, true)
  return () => {
    root.removeEventListener('input', listener, true)
    for (const [area, value] of typed) {
      setValue(area, value)
      area.dispatchEvent(new Event('input', { bubbles: true }))
    }
    typed.clear()
  }
}
