import assert from 'node:assert/strict';
import { codeArguments } from '../../../../../src/host/launch/warnings/codeArguments.ts';

suite('Arguments that run code', () => {
  const known: readonly (readonly [kind: string, ...lines: readonly string[]])[] = [
    [
      'code',
      'awk BEGIN{system("id")}',
      'osascript -e x',
      'python3.12 -c x',
      'python -Ic x',
      'python -cimport(x)',
      'perl -ne x',
      'ruby -e x',
      'lua5.4 -e x',
      'php -r x',
      'deno eval x',
      'deno --quiet eval x',
      'bun -e x',
      'node --eval=x',
      'node --import=data:text/javascript,x /opt/x.js',
      'node --import data:text/javascript,x /opt/x.js',
      'Rscript -e x',
      'timeout -k 5 10 node -e x',
      'nice -n 5 nohup setsid stdbuf -oL python -c x',
      'sudo -u me env -u A B=1 perl -e x',
      'uv run --with y python -c x',
      'npx -y tsx@4 -e x',
    ],
    [
      'command',
      'ssh -oProxyCommand=id host',
      'ssh -o proxycommand=id host',
      'ssh -F /tmp/x host',
      'git -c core.pager=id log',
      'git clone ext::id',
      'git fetch --upload-pack=id x',
      'tar --checkpoint-action=exec=id -cf x y',
      'tar --to-c id -xf x',
      'vim -c !id',
      'vim +!id',
      'env -S node',
      'env -vSnode',
      'find . -exec id ;',
      'xargs id',
      'gdb -ex shell',
      'rsync -e id a b',
      'rsync -ae id a b',
      'zip x y -T -TT id',
      'sed s/x/id/e',
      'sed -n 1eid',
      'socat TCP:x EXEC:id',
      'nc -e /bin/sh x 1',
      'script -qc id /dev/null',
      'watch id',
      'make --eval=x',
      'make SHELL=/tmp/x',
      'make -f /tmp/x',
      'java -XX:OnError=id -jar x.jar',
      'busybox find . -exec id ;',
      'su -c id',
    ],
    [
      'loads',
      'nmap --script x host',
      'java -javaagent:x.jar -jar y.jar',
      'java -cp /x -agentpath:y Main',
      'npx --prefix /tmp/x server',
      'npm exec --script-shell=/tmp/x server',
      'npm --prefix /tmp/x run mcp',
      'dotnet exec x.dll',
      'uvx --python /tmp/python server',
    ],
    ['also', 'node --import x y.js', 'node -r x y.js', 'uv run --with x y', 'uvx --with x y'],
    [
      'source',
      'npx --registry https://x server',
      'npx --@a:registry=https://x server',
      'pipx run --pip-args=x y',
    ],
    ['machine', 'docker -H tcp://x run image', 'docker --context x run image', 'podman --remote run image'],
    ['admin', 'docker run --privileged image', 'docker -H x run --privileged image'],
    [
      'reaches',
      'docker run --pid=host image',
      'docker run --pid host image',
      'docker run --net=host image',
      'docker run --security-opt seccomp=unconfined image',
      'docker run --security-opt=apparmor=unconfined image',
      'docker run -v /:/host image',
      'docker run --cap-add SYS_ADMIN image',
      'nohup docker run --ipc=host image',
    ],
  ];
  for (const [kind, ...lines] of known) {
    for (const line of lines) {
      test(`are known (${kind}): ${line}`, () => {
        const found = codeArguments(line.split(' '));
        assert.ok(
          found.some((one) => one.kind === kind),
          JSON.stringify(found),
        );
      });
    }
  }

  for (const line of [
    'node /opt/server.js -e production -r x',
    'node --enable-source-maps /opt/server.js',
    'python -m mcp_server -c config.toml',
    'python -u server.py',
    'npx -y server --prefix /x',
    'uvx server --with x -i y',
    'uv run server.py -i x --with y',
    'uv --directory /x run server -f y',
    'docker run -i --rm -e A -v /data:/data image --privileged --pid=host',
    'docker run --security-opt no-new-privileges image',
    'docker exec -i container server -H x -c y',
    'git mcp-server -c x',
    'java -Xmx1g -jar server.jar -javaagent:x',
    'dotnet /opt/server.dll exec',
    'deno run server.ts eval',
    'timeout 10 server',
    'env A=1 server -S x',
    'server -oProxyCommand=id --privileged',
    'my-awk x',
  ]) {
    test(`are none of these: ${line}`, () => assert.deepEqual(codeArguments(line.split(' ')), []));
  }

  test('name the word, counted from the command', () => {
    assert.deepEqual(codeArguments(['timeout', '10', 'ssh', '-4', '-o', 'ProxyCommand=id', 'host']), [
      { kind: 'command', name: 'ssh', index: 4 },
    ]);
  });

  test('are found in a command of any length', () => {
    const many = (count: number, words: readonly string[]): string[] =>
      Array.from({ length: count }, () => words).flat();
    assert.equal(codeArguments(['ssh', ...many(100_000, ['-4']), '-oProxyCommand=id']).length, 1);
    assert.equal(codeArguments(['tar', ...many(100_000, ['-I']), 'x'])[0]?.index, 1);
    assert.deepEqual(codeArguments(many(100_000, ['nice'])), []);
  });
});
