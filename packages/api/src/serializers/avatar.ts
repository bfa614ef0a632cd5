import { z } from 'zod'

/** Sonde has no pictures: clients draw the first letters. */
export const Avatar = z.object({ avatarType: z.literal('letter_avatar'), avatarUuid: z.null() })
export const LETTER_AVATAR: z.infer<typeof Avatar> = { avatarType: 'letter_avatar', avatarUuid: null }
