import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumPath } from './chromiumPath.mjs';
import { TemporaryFolder } from './temporaryFolder.ts';

/** Where a window finds its server, whatever the port. */
export const origin = 'http://editor.localhost';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless Chromium. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath(), headless: true, args: quiet });
}

/** A headless Chromium with a profile of its own, in which a server is the `origin`. */
export class ChromiumWindow {
  readonly page: Page;
  /** Undefined for a page in the browser of another window. */
  readonly #profile: TemporaryFolder | undefined;

  private constructor(page: Page, profile?: TemporaryFolder) {
    this.page = page;
    this.#profile = profile;
  }

  /** Opens an empty page; `server` is the address on which the server listens. */
  static async open(server: string): Promise<ChromiumWindow> {
    const profile = new TemporaryFolder('chromium');
    try {
      const context = await chromium.launchPersistentContext(profile.path, {
        executablePath: executablePath(),
        headless: true,
        args: [...quiet, `--host-resolver-rules=MAP ${new URL(origin).host}:80 ${new URL(server).host}`],
        viewport: { width: 1500, height: 950 },
        // The server would compress the editor's 20 MB for each window: a second of processor time.
        extraHTTPHeaders: { 'accept-encoding': 'identity' },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await context.tracing.start(); // without pictures of each step, which take half as long again
      return new ChromiumWindow(context.pages()[0] ?? (await context.newPage()), profile);
    } catch (error) {
      profile.remove();
      throw error;
    }
  }

  /** Opens another empty page in this browser, which has to be closed before. */
  async another(): Promise<ChromiumWindow> {
    return new ChromiumWindow(await this.page.context().newPage());
  }

  async close(): Promise<void> {
    if (this.#profile) {
      await this.page.context().close();
      this.#profile.remove();
    } else {
      await this.page.close();
    }
  }
}

function executablePath(): string {
  const path = chromiumPath();
  if (path === undefined) {
    throw new Error('There is no Chromium: node test/editor/setup.mjs installs it or says how.');
  }
  return path;
}
