import { error } from '@sveltejs/kit'

export const load = () => error(404, 'no such order')
