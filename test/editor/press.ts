import type { Locator } from 'playwright-core';

/** What an element must be to be the one that is meant, and where it is pressed. */
export interface Pressed {
  /** The texts that it must have, by the selector of the part that shows each. */
  readonly texts: Readonly<Record<string, string>>;
  /** The values that its attributes must have. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The selector of the part to press; the whole element if left out. */
  readonly part?: string;
  readonly button?: 'left' | 'right';
}

/**
 * Presses the first of the elements that is the one meant, in the same moment in which it is found; false when
 * there is none, or something lies over it. The editor's lists draw another row into the same element when they
 * change, so that a mouse on its way to an element would press what has come there meanwhile.
 */
export async function pressWhereFound(elements: Locator, pressed: Pressed): Promise<boolean> {
  return elements.evaluateAll((found, { texts, attributes = {}, part, button = 'left' }) => {
    const textIn = (element: Element, selector: string) =>
      (element.querySelector(selector)?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    const isMeant = (element: Element): boolean =>
      Object.entries(texts).every(([selector, text]) => textIn(element, selector) === text) &&
      Object.entries(attributes).every(([name, value]) => element.getAttribute(name) === value);
    const element = found.find(isMeant);
    const target = part === undefined ? element : element?.querySelector(part);
    const box = target?.getBoundingClientRect();
    if (!element || !box) {
      return false;
    }
    const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = document.elementFromPoint(clientX, clientY);
    if (!hit || !element.contains(hit)) {
      return false;
    }
    const shared = {
      bubbles: true,
      cancelable: true,
      composed: true,
      view: window,
      detail: 1,
      clientX,
      clientY,
    };
    const down =
      button === 'left' ? { ...shared, button: 0, buttons: 1 } : { ...shared, button: 2, buttons: 2 };
    const up = { ...down, buttons: 0 };
    hit.dispatchEvent(new PointerEvent('pointerdown', down));
    hit.dispatchEvent(new MouseEvent('mousedown', down));
    hit.dispatchEvent(new PointerEvent('pointerup', up));
    hit.dispatchEvent(new MouseEvent('mouseup', up));
    hit.dispatchEvent(new MouseEvent(button === 'left' ? 'click' : 'contextmenu', up));
    return true;
  }, pressed);
}
