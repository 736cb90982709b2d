import { capitalized } from '../../base/words.ts';

/** How servers are named together: `'git'`, `'git' and 'files'`, `'git', 'files' and 'web'`. */
export function namesOf(labels: readonly string[]): string {
  const quoted = labels.map((label) => `'${label}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}

/** What is asked when servers want to know the folders. */
export function rootsTitle(labels: readonly string[]): string {
  return `Which folders of this workspace can ${namesOf(labels)} see?`;
}

/** What it means that folders are shared: the same words wherever the person is asked. */
export function sharedText(servers: number): string {
  const [server, is, it] = servers === 1 ? ['The server', 'is', 'it'] : ['The servers', 'are', 'they'];
  return [
    `${server} ${is} told the name and path of each shared folder, to know where to work.`,
    `${capitalized(it)} ${is} told; ${it} ${is} not confined to them:`,
    'a server on this machine can reach everything that you can.',
  ].join(' ');
}

/** The same where the folders can be chosen. */
export function sharingText(servers: number): string {
  const they = servers === 1 ? 'it is' : 'they are';
  return `${sharedText(servers)} When you share all, ${they} told of later folders, too.`;
}

/** What follows when none is. */
export function unsharedText(servers: number): string {
  const [it, is, asks] = servers === 1 ? ['it', 'is', 'asks'] : ['they', 'are', 'ask'];
  return [
    `"Don't Share": ${it} ${is} told of none, and you are not asked again.`,
    `"Not Now": ${it} ${is} told of none this time, and you are asked when ${it} ${asks} again.`,
  ].join(' ');
}
