import assert from 'node:assert/strict';
import { chooseEditor, type Surroundings } from '../../../editor/chosenEditor.mjs';

const desktop: Surroundings = {
  isWebWanted: false,
  platform: 'linux',
  env: { DISPLAY: ':0' },
  isRoot: false,
  versionOfCode: () => '1.107.2\nabcdef\nx64\n',
  wanted: '^1.106.0',
};

suite('the editor of npm start', () => {
  test('is the desktop VS Code where that can be used', () => {
    const { kind, text } = chooseEditor(desktop);
    assert.equal(kind, 'desktop');
    assert.match(text, /in your VS Code 1\.107\.2/);
    assert.equal(chooseEditor({ ...desktop, platform: 'darwin', env: {} }).kind, 'desktop');
    assert.equal(chooseEditor({ ...desktop, env: { WAYLAND_DISPLAY: 'wayland-0' } }).kind, 'desktop');
  });

  test('is a browser if you ask for it', () => {
    const versionOfCode = (): string => assert.fail('nobody needs to know');
    assert.deepEqual(chooseEditor({ ...desktop, isWebWanted: true, versionOfCode }), {
      kind: 'browser',
      text: 'Opens the demo workspace in your browser.',
    });
  });

  const reasons: readonly (readonly [Partial<Surroundings>, RegExp])[] = [
    [{ env: {} }, /because there is no display here\.$/],
    [{ env: { DISPLAY: ':0', VSCODE_IPC_HOOK_CLI: '/run/x' } }, /because this is VS Code's own terminal/],
    [{ isRoot: true }, /because the desktop VS Code does not run as root\.$/],
    [{ versionOfCode: () => undefined }, /because there is no 'code' command on the PATH\.$/],
    [
      { versionOfCode: () => '1.99.3\n' },
      /because the 'code' command is VS Code 1\.99\.3, and .* needs 1\.106\.0/,
    ],
    [{ versionOfCode: () => '2.0.0' }, /because the 'code' command is VS Code 2\.0\.0/],
  ];
  for (const [surroundings, because] of reasons) {
    test(`is a browser, and says so: ${because.source}`, () => {
      const { kind, text } = chooseEditor({ ...desktop, ...surroundings });
      assert.equal(kind, 'browser');
      assert.match(text, because);
    });
  }
});
