/** A `ref` for what an answer put on the page: the focus goes there, or it would be lost with the form that was posted. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus()
}
