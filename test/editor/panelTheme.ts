import type { Frame } from 'playwright-core';

/** What the editor gives to the page of a panel, besides the page itself. */
export interface PanelTheme {
  readonly variables: Readonly<Record<string, string>>;
  readonly bodyClass: string;
  readonly kind: string;
}

/** What the editor has given to a panel that is open: of its variables, those that the panel's files name. */
export async function themeOf(frame: Frame, files: readonly string[]): Promise<PanelTheme> {
  const names = [...new Set(files.flatMap((text) => text.match(/--vscode-[\w-]+/g) ?? []))].toSorted();
  return frame.evaluate((wanted) => {
    const { documentElement, body } = document;
    const given = wanted.map((name) => [name, documentElement.style.getPropertyValue(name)] as const);
    return {
      variables: Object.fromEntries(given.filter(([, value]) => value !== '')),
      bodyClass: body.className,
      kind: body.dataset['vscodeThemeKind'] ?? '',
    };
  }, names);
}

/** The editor's own style sheet for every panel. */
export async function defaultStylesOf(frame: Frame): Promise<string> {
  return frame.evaluate(() => document.querySelector('#_defaultStyles')?.textContent ?? '');
}
