/** How stacks are read: which frames, and in which order. Both are remembered. */
import type { FrameView } from './frame-groups.ts'
import { useRemembered } from './use-remembered.ts'

export type FrameOrder = 'recent-first' | 'recent-last'
export type StackView = { readonly frames: FrameView; readonly order: FrameOrder }

export type StackViewControl = StackView & {
  readonly setFrames: (frames: FrameView) => void
  readonly setOrder: (order: FrameOrder) => void
}

export function useStackView(): StackViewControl {
  const [frames, setFrames] = useRemembered<FrameView>('frames', ['in-app', 'all'])
  const [order, setOrder] = useRemembered<FrameOrder>('frame-order', ['recent-first', 'recent-last'])
  return { frames, order, setFrames, setOrder }
}

export const ORDER_NAMES: Readonly<Record<FrameOrder, string>> = {
  'recent-first': 'most recent call first',
  'recent-last': 'most recent call last',
}
