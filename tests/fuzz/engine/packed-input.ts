/** An input as a text that fits into a log: what failed on another machine can be run again on this one. */
import { gunzipSync, gzipSync } from 'node:zlib'

export const packed = (input: Uint8Array): string => gzipSync(input).toString('base64')
export const unpacked = (text: string): Buffer => gunzipSync(Buffer.from(text, 'base64'))
