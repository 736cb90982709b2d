import type { LongText } from '../host/questions/panelText.ts';
import { element, shownText } from './elements.ts';

/** A text of many lines, whole; of a long one the beginning, and a button that shows the rest. */
export function foldedText(
  { text, lines, characters, isLong }: LongText,
  name: string,
  id: string,
  style: 'code' | 'prose' = 'code',
): HTMLElement {
  const whole = element('div', { id: `text-${id}`, class: `text ${style}` }, ...shownText(text));
  if (!isLong) {
    return whole;
  }
  const size =
    lines > 1 ? `${lines.toLocaleString('en')} lines` : `${characters.toLocaleString('en')} characters`;
  const button = element('button', { class: 'fold', type: 'button', 'aria-controls': whole.id });
  const show = (isFolded: boolean): void => {
    const words = isFolded ? `Show all ${size}` : 'Show less';
    whole.classList.toggle('folded', isFolded);
    button.textContent = words;
    button.setAttribute('aria-expanded', String(!isFolded));
    button.setAttribute('aria-label', `${words} of ${name}`);
  };
  button.addEventListener('click', () => show(!whole.classList.contains('folded')));
  show(true);
  return element('div', {}, whole, button);
}
