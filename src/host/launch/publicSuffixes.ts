/** The list of domains under which anybody can have a name, in a bundle of its own: see `loadPublicSuffixes`. */
export { getDomain } from 'tldts';
