// The page of a server: it shows its rows, and sends back what you press and check.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import { html, render } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { PageRow, ServerPageAct, ShowServer } from '../host/review/serverPageSession.ts';
import { button, linkButton } from './card.ts';
import { warningIcon, type Content } from './elements.ts';
import { foldedText } from './foldedText.ts';
import { beQuiet, isMeant } from './quiet.ts';

declare function acquireVsCodeApi(): { postMessage(message: ServerPageAct | { type: 'ready' }): void };

const editor = acquireVsCodeApi();
/** The rows that have checkboxes as they are shown, one below the other. */
let shownOrder: string | undefined;

window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
  if (origin === window.origin && isShowServer(data)) {
    const order = idsOf(data.rows).join();
    if (order !== shownOrder) {
      shownOrder = order;
      beQuiet();
    }
    document.title = data.title;
    render(page(data), document.body);
    if (data.focus !== undefined) {
      focusRow(data.focus);
    }
  }
});
editor.postMessage({ type: 'ready' });

function page({ title, state, buttons, rows, sees, activity, decisions }: ShowServer): Content {
  const groups = rows.filter((row) => row.rows.length > 0);
  const others = rows.filter((row) => row.rows.length === 0);
  return html`<main>
    <h1>${title}</h1>
    <p class="status" role="status">${state}</p>
    <div class="buttons">
      ${buttons.map((label) => button(label, () => editor.postMessage({ type: 'press', action: label })))}
    </div>
    ${list(others)} ${repeat(groups, ({ id }) => id, group)} ${titled('Latest activity', activity)}
    ${titled('What you decided', decisions)}
    <section>
      <h2>What it sees</h2>
      ${sees.map(
        (one, index) =>
          html`<h3>${one.title}</h3>
            ${foldedText(one.text, one.title, `sees-${index}`, 'prose')}`,
      )}
    </section>
  </main>`;
}

function titled(title: string, rows: readonly PageRow[]): Content {
  return rows.length === 0
    ? undefined
    : html`<section>
        <h2>${title}</h2>
        ${list(rows)}
      </section>`;
}

function group(row: PageRow): Content {
  return html`<section aria-label=${row.label}>
    <h2>${box(row)}${row.label} <span class="hint">${row.description}</span></h2>
    ${row.actions.length > 0 ? html`<div class="pageRow">${actionsOf(row)}</div>` : undefined}
    ${list(row.rows)}
  </section>`;
}

function list(rows: readonly PageRow[]): Content {
  return html`<ul class="pageRows">
    ${repeat(
      rows,
      ({ id }) => id,
      (row) =>
        html`<li>
          ${entry(row)} ${row.meaning && html`<p class="hint meaning">${row.meaning}</p>`}
          ${row.rows.length > 0 ? list(row.rows) : undefined}
        </li>`,
    )}
  </ul>`;
}

function entry(row: PageRow): Content {
  const { id, label, description, tooltip, opens, isWarning } = row;
  const press = (): void => editor.postMessage({ type: 'press', id });
  return html`<div class="pageRow" data-row=${id} title=${tooltip}>
    ${box(row)} ${isWarning ? warningIcon() : undefined}
    ${
      opens === undefined
        ? html`<span>${label}</span>`
        : linkButton(label, press, { name: opens === label ? label : `${opens}: ${label}` })
    }
    <span class="hint">${description}</span> ${actionsOf(row)}
  </div>`;
}

function actionsOf({ id, label, actions }: PageRow): Content {
  return actions.map((action) =>
    linkButton(action, () => editor.postMessage({ type: 'press', id, action }), {
      name: `${action}: ${label}`,
    }),
  );
}

function box({ id, checkbox }: PageRow): Content {
  return (
    checkbox &&
    html`<vscode-checkbox
      .checked=${live(checkbox.isChecked)}
      @click=${{ handleEvent: leaveUnlessMeant, capture: true }}
      @change=${() => editor.postMessage({ type: 'check', id, isChecked: !checkbox.isChecked })}
      ><span class="spoken">${checkbox.label}</span></vscode-checkbox
    >`
  );
}

/** No box is checked by a click that was for what stood there before. */
function leaveUnlessMeant(click: MouseEvent): void {
  if (!isMeant(click)) {
    click.preventDefault();
    click.stopImmediatePropagation();
  }
}

/** From there, the next press of Tab gets to its checkbox. */
function focusRow(id: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const row = rows.find(({ dataset }) => dataset['row'] === id);
  if (row) {
    row.tabIndex = -1;
    row.focus();
  }
}

function idsOf(rows: readonly PageRow[]): readonly string[] {
  return rows.flatMap(({ id, rows: below }) => [id, ...idsOf(below)]);
}

/** What the extension sends is of the same build as this page. */
function isShowServer(message: unknown): message is ShowServer {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'show';
}
