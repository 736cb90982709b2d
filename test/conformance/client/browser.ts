import type { Browser } from '../../../src/host/auth/redirect/redirect.ts';

/**
 * The browser of the user, on the machine of the host: it goes to the address where the user signs in, and follows the
 * issuer's redirect. Only this file may fetch: what is asked of a server and its issuer comes from the extension.
 */
export const browser: Browser = {
  externalUri: (uri) => Promise.resolve(uri),
  open: (url) => {
    // The editor has gone on by then.
    setImmediate(() => {
      visit(url).catch((error: unknown) => console.error(`The browser failed: ${String(error)}`));
    });
    return Promise.resolve(true);
  },
};

async function visit(url: string): Promise<void> {
  const page = await fetch(url);
  console.error(
    `The browser shows: ${(await page.text()).replaceAll(/<style>.*<\/style>|<[^>]*>|\s+/gs, ' ')}`,
  );
}
