import type { Page } from 'playwright-core';

/**
 * Reads all elements that a CSS selector finds now. It takes one message to the browser, where a locator's `evaluateAll`
 * takes three: half of the processor time of a look. `read` runs in the page, so that it can't use anything around it.
 */
export async function readAll<T>(
  page: Page,
  selector: string,
  read: (elements: HTMLElement[]) => T,
): Promise<T> {
  return page.evaluate<T>(`(${String(read)})([...document.querySelectorAll(${JSON.stringify(selector)})])`);
}
