/** An element that was clicked, from the path that the SDK tells of it: https://docs.sentry.io/api/replays/ */
import type { ReplaySelector as Row } from '@sonde/queries'
import { z } from 'zod'

export const ReplaySelector = z
  .object({
    count_dead_clicks: z.int(),
    count_rage_clicks: z.int(),
    dom_element: z.string(),
    element: z.object({
      alt: z.string(),
      aria_label: z.string(),
      class: z.array(z.string()),
      component_name: z.string(),
      id: z.string(),
      role: z.string(),
      tag: z.string(),
      testid: z.string(),
      title: z.string(),
    }),
    project_id: z.string(),
  })
  .meta({ id: 'ReplaySelector' })

/** `button#pay.wide[aria-label="Pay"]`: what it is, a number or a class, what it is called. */
const PART = /^([\w-]+)|#([\w-]+)|\.([\w-]+)|\[([\w-]{1,40})="([^"]*)"\]/g

export function replaySelectorJson({ projectId, selector, rageClicks, deadClicks }: Row) {
  const classes: string[] = []
  const attributes = new Map<string, string>()
  let [tag, id] = ['', '']
  for (const [, name, number, className, attribute, value = ''] of selector.matchAll(PART)) {
    if (name !== undefined) tag = name
    else if (number !== undefined) id = number
    else if (className !== undefined) classes.push(className)
    else if (attribute !== undefined) attributes.set(attribute, value)
  }
  const of = (name: string): string => attributes.get(name) ?? ''
  return {
    count_dead_clicks: deadClicks,
    count_rage_clicks: rageClicks,
    dom_element: selector,
    element: {
      alt: of('alt'),
      aria_label: of('aria-label'),
      class: classes,
      component_name: of('data-sentry-component'),
      id,
      role: of('role'),
      tag,
      testid: of('data-testid') || of('data-test-id'),
      title: of('title'),
    },
    project_id: String(projectId),
  }
}
