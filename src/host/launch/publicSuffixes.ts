/** The list of domains under which names are given to anyone, in a bundle of its own: see `loadPublicSuffixes`. */
export { getDomain } from 'tldts';
