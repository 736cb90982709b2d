import assert from 'node:assert/strict';
import { fetchedProgram } from '../../../../../src/host/launch/warnings/packageRunners.ts';

suite('What fetches a server before it runs it', () => {
  for (const [command, expected] of [
    ['npx -y a-package', 'npx package'],
    ['npx a-package@1.2.3', 'npx package'],
    ['C:\\Programs\\npx.cmd -y a-package', 'npx package'],
    ['cmd /c npx -y a-package', 'npx package'],
    ['npm exec a-package', 'npm package'],
    ['npm start', undefined],
    ['pnpm dlx a-package', 'pnpm package'],
    ['uvx a-package', 'uvx package'],
    ['uv tool run a-package', 'uv package'],
    ['uv run main.py', undefined],
    ['pipx run a-package', 'pipx package'],
    ['docker run -i --rm an/image', 'docker image'],
    ['docker container run an/image', 'docker image'],
    ['docker exec -i a-container server', undefined],
    ['/usr/bin/podman run an/image', 'podman image'],
    ['node server.js npx', undefined],
    ['my-npx a-package', undefined],
    ['constructor', undefined],
  ] as const) {
    test(`is ${expected ?? 'nothing'} in ${command}`, () => {
      const fetched = fetchedProgram(command.split(' '));
      assert.equal(
        fetched && `${fetched.runner} ${fetched.kind === 'container' ? 'image' : 'package'}`,
        expected,
      );
    });
  }
});
