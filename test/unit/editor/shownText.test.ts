import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contentPolicy } from '../../../src/editor/review/contentPolicy.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => ({
  file: file.replaceAll('\\', '/'),
  lines: readFileSync(`${root}${file}`, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\*|\/[/*])/.test(line)),
}));

/** The lines of the sources that have something in them, each with its file. */
function linesWith(what: RegExp, files = /./): readonly string[] {
  return sources
    .filter(({ file }) => files.test(file))
    .flatMap(({ file, lines }) =>
      lines.filter((line) => what.test(line)).map((line) => `${file}: ${line.trim()}`),
    );
}

suite('The pages of panels', () => {
  for (const playsSounds of [false, true]) {
    test(`load nothing from elsewhere, run no script but their own, and send no form, ${playsSounds ? 'with' : 'without'} sounds`, () => {
      const directives = new Map(
        contentPolicy('vscode-resource:', 'n0nce', playsSounds)
          .split('; ')
          .map((directive) => {
            const [name = '', ...from] = directive.split(' ');
            return [name, from] as const;
          }),
      );
      assert.deepEqual(Object.fromEntries(directives), {
        'default-src': ["'none'"],
        'script-src': ["'nonce-n0nce'"],
        'img-src': ['data:'],
        ...(playsSounds && { 'media-src': ['data:'] }),
        'style-src': ['vscode-resource:', "'nonce-n0nce'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
      });
    });
  }

  test('are the only ones, each with that policy', () => {
    assert.deepEqual(linesWith(/createWebviewPanel|registerWebview|\.html\s*=/), [
      'src/editor/review/pagePanel.ts: ? vscode.window.createWebviewPanel(panelType(name), tab, {',
      'src/editor/review/pagePanel.ts: webview.html = panelPage(this.#name, {',
      "src/editor/requestForms/requestPanels.ts: vscode.window.registerWebviewPanelSerializer(panelType('request'), {",
    ]);
  });

  test('treat nothing from a server as HTML', () => {
    const parsing =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\(|new Function/;
    assert.deepEqual(linesWith(parsing, /^src\/webview\//), []);
  });
});

suite('Markdown', () => {
  test('is only text of this host, and is never trusted', () => {
    assert.deepEqual(linesWith(/supportHtml|isTrusted\s*[:=]\s*true/, /^src\/editor\//), []);
    assert.deepEqual(linesWith(/new vscode\.MarkdownString\((?!'[^']*'\)|$)/), []);
    // Those that go on in the next line have nothing but words of ours there.
    const multiline = linesWith(/new vscode\.MarkdownString\($/);
    assert.deepEqual(multiline, [
      'src/editor/resources/resourceFileSystem.ts: isReadonly: new vscode.MarkdownString(',
    ]);
  });
});
