import type { Frame, FrameLocator, Page } from 'playwright-core';

/** Where the page of a panel is: in a tab of a workbench, or alone in a browser. */
export interface PanelPlace {
  /** The page that gets what is typed. */
  readonly page: Page;
  /** What finds elements of the panel. */
  readonly root: Page | FrameLocator;
  /** Whether a panel is in sight. */
  isThere(): Promise<boolean>;
  /** The frame of the panel, for what no step does. */
  frame(): Promise<Frame>;
}

/** The panel in front in a workbench: the frame in the frame of its tab. */
export function panelIn(page: Page): PanelPlace {
  const outer = page.locator('iframe.webview.ready');
  const root = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  return {
    page,
    root,
    isThere: async () => (await outer.count()) > 0,
    frame: async () => {
      const handle = await root.owner().elementHandle();
      const frame = await handle?.contentFrame();
      if (!frame) {
        throw new Error('There is no panel.');
      }
      return frame;
    },
  };
}
