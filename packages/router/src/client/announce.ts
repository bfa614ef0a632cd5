/** Where a client-side navigation leads is told to screen readers and to the keyboard. */

let region: HTMLElement | undefined

/** Says a text through a live region that is there but cannot be seen. */
export function announce(text: string): void {
  if (!region?.isConnected) {
    region = document.createElement('div')
    region.setAttribute('role', 'status')
    region.setAttribute('aria-live', 'polite')
    // Through the object model: a style attribute would need `unsafe-inline`.
    Object.assign(region.style, {
      position: 'absolute',
      width: '1px',
      height: '1px',
      overflow: 'hidden',
      clipPath: 'inset(50%)',
      whiteSpace: 'nowrap',
    })
    document.body.append(region)
  }
  region.textContent = text
}

/** Focus goes to `[data-route-focus]`, else to the first heading, else to the main landmark. */
export function focusPage(): void {
  const target = ['[data-route-focus]', 'main h1', 'h1', 'main']
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .find((element) => element !== null)
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1')
  target.focus({ preventScroll: true })
}
