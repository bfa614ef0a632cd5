/** With which key the records were written, without telling the key: a start with another one would lock people out. */
import { createHash } from 'node:crypto'

/** The name in `setting`. */
export const SECRET_CHECK = 'auth_secret_check'

/** The key is random and long: nobody finds it by trying what leads to this text. */
export const secretCheck = (secret: string): string =>
  createHash('sha256').update(`sonde secret check ${secret}`).digest('base64url')
