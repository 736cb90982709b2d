/** What the browser shows at the end of a sign-in; texts are plain. */
export interface RedirectPage {
  readonly title: string;
  readonly text: string;
}

const style = [
  ':root { color-scheme: light dark; }',
  'body { font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto 0; max-width: 32rem; padding: 0 1.5rem;',
  '  background: #ffffff; color: #1f1f1f; }',
  'h1 { font-size: 1.4rem; font-weight: 600; }',
  'p { overflow-wrap: anywhere; }',
  '@media (prefers-color-scheme: dark) { body { background: #1f1f1f; color: #cccccc; } }',
].join('\n');

/** The page as it is sent: no script, nothing from elsewhere, and no address in what it links or stores. */
export function redirectPage({ title, text }: RedirectPage): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: [
      '<!doctype html>',
      '<html lang="en">',
      '<head>',
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escaped(title)}</title>`,
      `<style>\n${style}\n</style>`,
      '</head>',
      '<body>',
      '<main>',
      `<h1>${escaped(title)}</h1>`,
      `<p>${escaped(text)}</p>`,
      '<p>You can close this tab.</p>',
      '</main>',
      '</body>',
      '</html>',
      '',
    ].join('\n'),
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
