import { OutgoingError, readUrl } from '@sonde/outgoing'
import { z } from 'zod'

/** What `Outgoing` can send to; whether it may, the guard says when it is tried. */
export const urlField = z
  .string()
  .trim()
  .superRefine((text, context) => {
    try {
      readUrl(text)
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      context.addIssue({ code: 'custom', message: error.message })
    }
  })
