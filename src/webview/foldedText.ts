import type { LongText } from '../host/questions/panelText.ts';
import { element, shownText } from './elements.ts';

/** A text of many lines, whole; of a long one the beginning, and a button that shows the rest. */
export function foldedText(
  long: LongText,
  name: string,
  id: string,
  style: 'code' | 'prose' = 'code',
): HTMLElement {
  const whole = element('div', { id: `text-${id}`, class: `text ${style}` }, ...shownText(long.text));
  if (!long.isLong) {
    return whole;
  }
  const size = sizeText(long);
  const button = element('button', { class: 'fold', type: 'button', 'aria-controls': whole.id });
  const show = (isFolded: boolean): void => {
    const words = isFolded ? `Show ${size}` : 'Show less';
    whole.classList.toggle('folded', isFolded);
    button.textContent = words;
    button.setAttribute('aria-expanded', String(!isFolded));
    button.setAttribute('aria-label', `${words} of ${name}`);
  };
  button.addEventListener('click', () => show(!whole.classList.contains('folded')));
  show(true);
  return element('div', {}, whole, button);
}

/** How much of a text there is to show: all of it, or its beginning. */
function sizeText({ lines, characters, whole }: LongText): string {
  const [shown, all, unit] =
    lines > 1 && lines !== whole?.lines
      ? [lines, whole?.lines, 'lines']
      : [characters, whole?.characters, 'characters'];
  const count = shown.toLocaleString('en');
  return all === undefined
    ? `all ${count} ${unit}`
    : `the first ${count} of ${all.toLocaleString('en')} ${unit}`;
}
