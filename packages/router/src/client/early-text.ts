/**
 * What somebody types before the page's code is there. React puts the server's text back into a text area when it takes the
 * page over, and into a field that it controls when it renders next; no handler hears of what was typed before.
 */
type Field = HTMLTextAreaElement | HTMLInputElement

const UNTYPED = new Set(['checkbox', 'radio', 'file', 'hidden', 'submit', 'reset', 'button', 'image'])

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !UNTYPED.has(target.type))

/** As if it were typed now: React hears of a change only when the value is another than the one that it has set. */
function typeInto(field: Field, value: string): void {
  const { selectionStart, selectionEnd } = field
  field.value = `${value} `
  const past = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Reflect.set(past, 'value', value, field)
  // Fields of numbers and addresses have no selection.
  if (selectionStart !== null && document.activeElement === field)
    field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Call before React takes over; what it returns, once it has, gives the texts back and tells of them by `input` events. */
export function keepEarlyText(root: HTMLElement): () => void {
  const typed = new Map<Field, string>()
  for (const field of root.querySelectorAll('textarea, input'))
    if (isField(field) && field.value !== field.defaultValue) typed.set(field, field.value)
  const listener = ({ target }: Event): void => {
    if (isField(target)) typed.set(target, target.value)
  }
  root.addEventListener('input', listener, true)
  return () => {
    root.removeEventListener('input', listener, true)
    for (const [field, value] of typed) typeInto(field, value)
    typed.clear()
  }
}
