/** Addresses that differ by values only, made alike: the reporter's word for an endpoint, and a route where no router names it. */

// A segment is a value when it holds a digit and is a number, long, hexadecimal, or an address of mail; `v2` is none.
const VALUE = /\/(?=[^/]*\d)(?:\d+|[\da-f-]{8,}|[^/]{20,}|[^/.]*@[^/]*)(?=\/|$)/gi

/** `/api/orders/3f2a…/items/17` → `/api/orders/[id]/items/[id]`. A path, without query and fragment. */
export const pathTemplate = (path: string): string => path.replace(VALUE, '/[id]')
