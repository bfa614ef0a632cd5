/** A page by keyboard alone: each control gets the focus, one sees that it has it, and it can be left again. */
import type { Page } from 'playwright-core'

/** A screen with more stops than this has a trap, or needs another way than Tab. */
const MAX_STOPS = 400

type Stop = {
  readonly number: number
  readonly isSeen: boolean
  readonly isInView: boolean
  /** A date: its day, month, year and calendar are stops of their own. */
  readonly hasParts: boolean
  readonly name: string
}

/** Numbers every control that can be reached as the page stands; returns their names. */
function markControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'
    const radios = new Set<string>()
    const isReachable = (element: HTMLElement): boolean => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.tabIndex < 0) return false
      if (element.matches(':disabled') || element.closest('[inert]')) return false
      if (element instanceof HTMLInputElement && element.type === 'radio') {
        // One stop for a group: the chosen one, else the first.
        const group = `${element.form?.id} ${element.name}`
        const chosen = document.querySelector(`input[type=radio][name="${CSS.escape(element.name)}"]:checked`)
        if (chosen ? chosen !== element : radios.has(group)) return false
        radios.add(group)
      }
      return true
    }
    return [...document.querySelectorAll<HTMLElement>(selector)]
      .filter(isReachable)
      .map((element, number) => {
        element.dataset['stop'] = String(number)
        return element.outerHTML.slice(0, 120)
      })
  })
}

/** Has the page write down where the focus is, before each key; `takeStops` gives what it wrote. */
function writeDownStops(page: Page): Promise<void> {
  return page.evaluate(() => {
    // An outline and not a shadow: shadows are not drawn in forced colours.
    const hasRing = (candidate: Element | null): boolean => {
      if (!candidate) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    }
    const focused = (): Stop | undefined => {
      const element = document.activeElement as HTMLElement | null
      if (!element || element === document.body) return undefined
      const around = element.closest('label, tr')
      const { width, height, top, left, bottom, right } = element.getBoundingClientRect()
      return {
        number: Number(element.dataset['stop'] ?? -1),
        isSeen: element.matches(':focus-visible') && (hasRing(element) || hasRing(around)),
        isInView:
          width > 0 &&
          height > 0 &&
          bottom > 0 &&
          right > 0 &&
          top < window.innerHeight &&
          left < window.innerWidth,
        hasParts: element.matches('input[type=date], input[type=time], input[type=datetime-local]'),
        name: element.outerHTML.slice(0, 120),
      }
    }
    const stops: (Stop | undefined)[] = []
    addEventListener('keydown', () => stops.push(focused()), { capture: true })
    Object.assign(globalThis, { takeStops: () => [...stops.splice(0), focused()] })
  })
}

/** Where the focus was before each key since it was asked last, and where it is now. */
const takeStops = (page: Page): Promise<(Stop | undefined)[]> =>
  page.evaluate(() => (globalThis as unknown as { takeStops(): (Stop | undefined)[] }).takeStops())

/** Some screens put the focus into a field, and Tab would go on from there. */
async function beginAtTop(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
}

/** What is wrong with walking through all controls of the page, one line each. */
export async function tabFaults(page: Page): Promise<string[]> {
  await beginAtTop(page)
  const controls = await markControls(page)
  await writeDownStops(page)
  const wire = await page.context().newCDPSession(page)
  /** All of them one after the other, without asking in between. */
  const press = async (times: number, modifiers = 0): Promise<(Stop | undefined)[]> => {
    const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9, modifiers }
    await Promise.all(
      Array.from({ length: times }, async () => {
        const down = wire.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
        await Promise.all([down, wire.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })])
      }),
    )
    // The first is where the focus was before.
    return (await takeStops(page)).slice(1)
  }
  const visited = new Set<number>()
  const faults: string[] = []
  let last: number | undefined
  let stops = await press(controls.length + 1)
  for (let pressed = 0; ; pressed++) {
    if (pressed > MAX_STOPS) return [...faults, 'the end of the page is never reached']
    if (stops.length === 0) stops = await press(1)
    const stop = stops.shift()
    if (stop?.hasParts === true && stop.number === last) continue
    last = stop?.number
    // After the last control the focus leaves the page, or begins again.
    if (!stop || visited.has(stop.number)) break
    if (!stop.isSeen || !stop.isInView) faults.push(`focus that is not seen: ${stop.name}`)
    if (stop.number >= 0) visited.add(stop.number)
  }
  const missed = controls.filter((_, number) => !visited.has(number))
  faults.push(...missed.map((control) => `Tab does not reach ${control}`))
  const SHIFT = 8
  if (!(await press(2, SHIFT)).some((stop) => stop !== undefined)) faults.push('there is no way back')
  await wire.detach()
  return faults
}
