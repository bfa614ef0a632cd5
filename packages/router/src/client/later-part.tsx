/**
 * Parts of a screen whose code its first load does not wait for. The server renders them like everything else; in the
 * browser their HTML stays as it came until their code is there. A navigation waits for it, as for the rest of its
 * code: nothing comes into a page that is shown.
 */
import { type ComponentType, type ReactNode, Suspense, use, useEffect } from 'react'
import { useRuntime } from './hooks.ts'
import { laterCode } from './later-code.ts'

/** `load` gives the component. Call it beside the screen that shows the part, not in a render. */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const code = laterCode(async () => ({ default: await load() }))
  let shown: Promise<void> | undefined

  function Content(props: Props) {
    const Part = code.get()?.default
    if (Part) {
      return (
        <>
          <Part {...props} />
          <TakenOver />
        </>
      )
    }
    // Without its code the part stays as the server rendered it: its links and forms work.
    use((shown ??= code.load().catch(() => new Promise<void>(() => {}))))
    return null
  }
  return function LaterPart(props: Props) {
    return (
      <Suspense fallback={null}>
        <Content {...props} />
      </Suspense>
    )
  }
}

function TakenOver() {
  const { onPartTakenOver } = useRuntime()
  useEffect(onPartTakenOver, [onPartTakenOver])
  return null
}
