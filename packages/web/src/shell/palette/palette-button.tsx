import { type ComponentType, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import { useToast } from '../toasts.tsx'
import { useShortcuts } from '../use-shortcuts.ts'
import type { PaletteProps } from './use-choices.ts'

type Closable<Props = object> = ComponentType<Props & { readonly onClose: () => void }>
type Opened =
  | { readonly kind: 'palette'; readonly Dialog: Closable<PaletteProps> }
  | { readonly kind: 'help'; readonly Dialog: Closable }

const loadPalette = () => import('./palette.tsx')
const loadHelp = () => import('./shortcut-help.tsx')

/** Opens the palette, by press or key, and the help. Their code is fetched when it is asked for. */
export function PaletteButton(props: Omit<PaletteProps, 'showHelp'>) {
  const [opened, setOpened] = useState<Opened>()
  const toast = useToast()
  const isInBrowser = useIsInBrowser()
  const open = async (kind: Opened['kind']): Promise<void> => {
    try {
      setOpened(
        kind === 'palette'
          ? { kind, Dialog: (await loadPalette()).default }
          : { kind, Dialog: (await loadHelp()).default },
      )
    } catch {
      toast({
        text: 'This could not be loaded. Sonde may have been updated.',
        kind: 'bad',
        action: { name: 'Reload', run: () => window.location.reload() },
      })
    }
  }
  const close = (): void => setOpened(undefined)
  useShortcuts({ palette: () => void open('palette'), help: () => void open('help') })
  if (!isInBrowser) return <span className="palette-button-place" />
  return (
    <>
      <button
        type="button"
        className="button palette-button"
        aria-haspopup="dialog"
        title="Go to a project, a screen or an issue"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void loadPalette().catch(() => {})}
        onClick={() => void open('palette')}
      >
        <Icon name="search" />
        <span className="palette-button-text">Go to…</span>
        <kbd className="palette-button-key" aria-hidden="true">
          {/mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'} K
        </kbd>
      </button>
      {opened?.kind === 'palette' && (
        <opened.Dialog {...props} onClose={close} showHelp={() => void open('help')} />
      )}
      {opened?.kind === 'help' && <opened.Dialog onClose={close} />}
    </>
  )
}
