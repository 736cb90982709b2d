import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Frame, Page } from 'playwright-core';
import { panelPage, type PageName } from '../../../src/editor/review/panelPage.ts';
import { findingsOfAxe } from '../../editor/axe.ts';
import { eventually, patience } from '../../editor/expectation.ts';
import type { PanelPlace } from '../../editor/panelPlace.ts';
import { takePicture } from '../../editor/picture.ts';
import editorThemes from '../../editor/themes.json' with { type: 'json' };
import { sharedPage } from './browser.ts';
import { pageFiles } from './pageFiles.ts';

const { defaultStyles, ...themes } = editorThemes;
export type ThemeName = keyof typeof themes;
const allThemes = ['light', 'highContrast', 'highContrastLight', 'dark'] as const satisfies ThemeName[];

const origin = 'http://panel.localhost';
/** Where the browser is while no panel is in sight: of the same site, so that its process stays. */
const elsewhere = `${origin}/elsewhere`;
const size = { width: 900, height: 900 };

/** The panel that the browser shows. */
let current: PanelPage | undefined;

/** The host's side of a panel, as the editor calls it. */
export interface PanelSession {
  opened(): void;
  hidden(): void;
  receive(message: unknown): unknown;
}

/**
 * The page of a panel alone in a browser, joined with its session as the editor joins them: with the same HTML and
 * content policy, messages as JSON, and a page that is thrown away when it is hidden, except for its state.
 */
export class PanelPage implements PanelPlace {
  readonly page: Page;
  readonly #name: PageName;
  /** What went wrong in the page, or in the session when it took a message. */
  readonly #faults: string[] = [];
  #session: PanelSession | undefined;
  #isLoaded = false;
  #theme: ThemeName = 'dark';

  private constructor(page: Page, name: PageName) {
    this.page = page;
    this.#name = name;
  }

  /** Opens an empty panel in place of any other; `show` puts the page in. */
  static async open(name: PageName): Promise<PanelPage> {
    const page = await sharedPage();
    if (!current) {
      await prepare(page);
    }
    current = new PanelPage(page, name);
    await page.setViewportSize(size);
    await page.goto(elsewhere);
    await page.evaluate(() => sessionStorage.clear());
    return current;
  }

  /** Takes a message of the page. */
  async receive(json: string): Promise<void> {
    try {
      await this.#session?.receive(JSON.parse(json));
    } catch (error) {
      this.fault(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  /** Notes what went wrong: the panel cannot be closed without it. */
  fault(words: string): void {
    this.#faults.push(words);
  }

  /** The page without its files, as the editor gets it. */
  get html(): string {
    return panelPage(this.#name, {
      cspSource: origin,
      nonce: randomBytes(16).toString('base64'),
      source: (file) => `${origin}/${file}`,
    });
  }

  get root(): Page {
    return this.page;
  }

  isThere(): Promise<boolean> {
    return Promise.resolve(this.#isLoaded);
  }

  frame(): Promise<Frame> {
    return Promise.resolve(this.page.mainFrame());
  }

  /** Puts the page in sight, for the first time or again. */
  async show(session = this.#session): Promise<void> {
    assert.ok(session);
    this.#session = session;
    session.opened();
    this.#isLoaded = true;
    await this.page.goto(`${origin}/`);
    await this.#applyTheme();
  }

  /** Puts another tab in front. */
  async hide(): Promise<void> {
    this.#session?.hidden();
    this.#isLoaded = false;
    await this.page.goto(elsewhere);
  }

  /** Sends a message to the page; one that is out of sight gets none. */
  post(message: unknown): void {
    if (this.#isLoaded) {
      this.page
        .evaluate((json) => window.postMessage(JSON.parse(json), '*'), JSON.stringify(message))
        .catch((error: unknown) => {
          if (this.#isLoaded) {
            this.fault(String(error));
          }
        });
    }
  }

  async useTheme(name: ThemeName): Promise<void> {
    this.#theme = name;
    await this.#applyTheme();
  }

  /** Takes a picture of the page, and lets axe look at it, in each theme. */
  async inspect(name: string, inThemes: readonly ThemeName[] = allThemes): Promise<void> {
    for (const [index, theme] of inThemes.entries()) {
      await this.useTheme(theme);
      const rules = index === 0 ? [] : ['color-contrast']; // nothing else depends on the theme
      await eventually.deepEqual(
        async () => findingsOfAxe(await this.frame(), rules),
        [],
        `${name}, ${theme}`,
      );
      await this.screenshot(`${name}-${theme}`);
    }
  }

  /** Takes a picture of the whole page: see `takePicture`. */
  async screenshot(name: string): Promise<void> {
    await takePicture(this.page, `page-${name}`, { fullPage: true });
  }

  /** Makes the page so narrow that it is beside another editor, and expects nothing to stand out on its side. */
  async inspectNarrow(name: string): Promise<void> {
    await this.page.setViewportSize({ ...size, width: 380 });
    await this.screenshot(`${name}-narrow`);
    const beyond = (): Promise<number> =>
      this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await eventually.equal(beyond, 0);
    await this.page.setViewportSize(size);
  }

  /** What the editor keeps of the page over a reload of the window. */
  async state(): Promise<unknown> {
    return this.page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown);
  }

  /** Closes the page; fails if anything in it went wrong. */
  async close(): Promise<void> {
    this.#session?.hidden();
    this.#isLoaded = false;
    await this.page.goto(elsewhere);
    assert.deepEqual(this.#faults, []);
  }

  async #applyTheme(): Promise<void> {
    await this.page.evaluate(
      ({ variables, bodyClass, kind, styles }) => {
        document.documentElement.removeAttribute('style');
        for (const [name, value] of Object.entries(variables)) {
          document.documentElement.style.setProperty(name, value);
        }
        document.body.className = bodyClass;
        document.body.dataset['vscodeThemeKind'] = kind;
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(styles);
        document.adoptedStyleSheets = [sheet];
      },
      { ...themes[this.#theme], styles: defaultStyles },
    );
  }
}

/** Has the browser serve panels, and join them with their sessions. */
async function prepare(page: Page): Promise<void> {
  page.setDefaultTimeout(patience);
  page.on('pageerror', (error) => current?.fault(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      current?.fault(message.text());
    }
  });
  await page.exposeFunction('sendToHost', (json: string) => current?.receive(json));
  await page.addInitScript(() => {
    const { sendToHost } = globalThis as unknown as { sendToHost: (json: string) => void };
    Object.assign(globalThis, {
      acquireVsCodeApi: () => ({
        postMessage: (message: unknown) => sendToHost(JSON.stringify(message)),
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
        setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
      }),
    });
  });
  const files = await pageFiles();
  await page.route('**/*', async (route) => {
    const url = route.request().url();
    const file = files.get(url.slice(origin.length + 1));
    if (url === `${origin}/` || url === elsewhere) {
      await route.fulfill({ contentType: 'text/html', body: url === elsewhere ? '' : (current?.html ?? '') });
    } else if (file === undefined) {
      current?.fault(`The page has asked for ${url}.`);
      await route.abort();
    } else {
      await route.fulfill({ contentType: url.endsWith('.css') ? 'text/css' : 'text/javascript', body: file });
    }
  });
}
