/** What somebody types, ticks or selects before the code of the page is there. */

type Field = HTMLTextAreaElement | HTMLInputElement | HTMLSelectElement
/** What a field held, and how it is brought into it again. */
type Held = { readonly field: Field; readonly giveBack: () => void }

const WITHOUT_INPUT = new Set(['file', 'hidden', 'submit', 'reset', 'button', 'image'])

/**
 * React puts the server's text back into a text area when it takes the page over, and the server's state into any field
 * that it controls when it renders next; no handler hears of what was done before. Call before React takes over; call the
 * result whenever it has taken over a part of the page: it restores the fields there and dispatches their events.
 */
export function keepEarlyInput(root: HTMLElement): () => void {
  const kept = new Map<Field, Held>()
  const keep = (field: Field): void => void kept.set(field, heldBy(field))
  for (const field of root.querySelectorAll('textarea, input, select'))
    if (isField(field) && isChanged(field)) keep(field)
  const listener = ({ target }: Event): void => {
    if (isField(target) && !isTakenOver(target)) keep(target)
  }
  root.addEventListener('input', listener, true)
  return () => {
    for (const [field, { giveBack }] of kept) {
      if (field.isConnected && !isTakenOver(field)) continue
      kept.delete(field)
      if (field.isConnected) giveBack()
    }
  }
}

/** React has no other word for it than what it hangs on an element. */
const isTakenOver = (field: Field): boolean =>
  Object.keys(field).some((key) => key.startsWith('__reactFiber'))

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !WITHOUT_INPUT.has(target.type))

const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return isSelectChanged(field)
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
}

function isSelectChanged({ multiple, options, selectedIndex }: HTMLSelectElement): boolean {
  if (multiple) return [...options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  // Without a default the first option is selected.
  return (
    selectedIndex !==
    Math.max(
      0,
      [...options].findLastIndex(({ defaultSelected }) => defaultSelected),
    )
  )
}

function heldBy(field: Field): Held {
  if (field instanceof HTMLSelectElement) {
    const selected = [...field.options].map((option) => option.selected)
    return { field, giveBack: () => selectIn(field, selected) }
  }
  if (isBox(field)) {
    const { checked } = field
    return { field, giveBack: () => tick(field, checked) }
  }
  const { value } = field
  return { field, giveBack: () => typeInto(field, value) }
}

/** As if it were typed now: React hears of a change only when the value is another than the one that it has set. */
function typeInto(field: HTMLTextAreaElement | HTMLInputElement, value: string): void {
  const { selectionStart, selectionEnd } = field
  field.value = `${value} `
  const past = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Reflect.set(past, 'value', value, field)
  // Fields of numbers and addresses have no selection.
  if (selectionStart !== null && document.activeElement === field)
    field.setSelectionRange(selectionStart, selectionEnd)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** React hears of a box by its click. A radio button that was left needs none: the one that was taken says it all. */
function tick(field: HTMLInputElement, isTicked: boolean): void {
  if (field.type === 'radio' && !isTicked) return
  field.checked = !isTicked
  field.click()
}

function selectIn(field: HTMLSelectElement, selected: readonly boolean[]): void {
  for (const [at, option] of [...field.options].entries()) option.selected = selected[at] ?? false
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}
