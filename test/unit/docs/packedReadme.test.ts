import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionPage, overview } from '../../../packedReadme.js';
import { root } from '../../editor/paths.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pictures = /!\[[^\]]+\]\(([^)\s]+)\)/g;
const links = /(?<!!)\[[^\]]+\]\(([^)\s]+)\)/g;

function found(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, link = '']) => link);
}

suite('The README in the package', () => {
  test('has no picture and no dead link on the page of the extension while the project has no address', () => {
    const page = extensionPage(readme, undefined);
    assert.deepEqual(found(page, pictures), []);
    assert.deepEqual(
      found(page, links).filter((link) => link !== '#documentation' && !link.startsWith('https://')),
      [],
    );
    assert.ok(found(page, links).length > 5);
    const [before = '', list = ''] = page.split(/^## Documentation$/m);
    assert.match(
      before,
      /^To read this with pictures, run _MCP Host: Open Documentation…_ and select _Overview_\.$/m,
    );
    assert.doesNotMatch(list, /#documentation/);
    assert.doesNotMatch(page, /npm start|\n\s*\n\s*\n/);
  });

  test('has absolute addresses there as soon as package.json names the repository', () => {
    const page = extensionPage(readme, 'https://git.example.com/mcp-host');
    const relative = found(readme, pictures);
    assert.ok(relative.length > 3);
    assert.deepEqual(
      found(page, pictures),
      relative.map((link) => `https://git.example.com/mcp-host/raw/HEAD/${link}`),
    );
    assert.deepEqual(
      found(page, links).filter((link) => !link.startsWith('https://')),
      [],
    );
    assert.match(page, /\(https:\/\/git\.example\.com\/mcp-host\/blob\/HEAD\/docs\/servers\.md\)/);
  });

  test('has its pictures and links as a document, as far as they are in the package', () => {
    const isPackaged = (file: string): boolean => file.startsWith('docs/') && !/review|internals/.test(file);
    const document = overview(readme, isPackaged);
    const relative = [...found(document, pictures), ...found(document, links)].filter(
      (link) => !link.startsWith('https://'),
    );
    assert.ok(relative.length > 15);
    assert.deepEqual(
      relative
        .map((link) => link.replace(/#.*/, ''))
        .filter((file) => !isPackaged(file) || !existsSync(join(root, file))),
      [],
    );
    assert.doesNotMatch(document, /review\.webp|CONTRIBUTING|src\/api/);
  });
});
