/** Fields that several trackers have. */
import { z } from 'zod'
import { keyField, urlField } from '../channels/fields.ts'

const MAX_PLACES = 50

/** Repositories, projects or teams: at least one, each once. */
export const placesField = (form: RegExp, words: string) =>
  z
    .array(z.string().trim().max(200, 'has at most 200 characters').regex(form, words), {
      error: 'is needed',
    })
    .min(1, 'at least one is needed')
    .max(MAX_PLACES, `at most ${MAX_PLACES}`)
    .transform((places) => [...new Set(places)])

/** Where the tracker answers, without a slash at the end. */
export const baseUrlField = urlField.transform((url) => (url.endsWith('/') ? url.slice(0, -1) : url))

/** What every connection keeps sealed. `webhookSecret`: what its webhooks are signed with. */
export const tokenSecret = z.object({ token: keyField, webhookSecret: keyField })

/** A time that a tracker wrote; 0 for none. */
export const timeField = z
  .string()
  .nullish()
  .transform((text) => {
    const ms = Date.parse(text ?? '')
    return Number.isNaN(ms) ? 0 : ms
  })

/** An id in an answer: a number of some, a text of others. */
export const idField = z.union([z.string(), z.number()]).transform(String)

/** Words alone: nothing that the tracker's search would read as one of its operators. */
export const searchWords = (text: string): string =>
  text
    .slice(0, 200)
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, ' ')
    .replaceAll(/(?<= |^)[-.]+/g, '')
    .trim()
