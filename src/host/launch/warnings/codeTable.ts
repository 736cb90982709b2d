/** What arguments of a program do. */
export type CodeKind =
  /** They are code. */
  | 'code'
  /** They make it run another command. */
  | 'command'
  /** They make it load other code than its own. */
  | 'loads'
  /** The same, as honest servers often do: a note, and no warning. */
  | 'also'
  /** They say where packages come from. */
  | 'source'
  /** They make it work on another machine. */
  | 'machine'
  /** They take from a container what separates it from this machine. */
  | 'reaches'
  /** They give a container the rights of an administrator. */
  | 'admin';

/** Arguments of programs that run code. */
export interface CodeRow {
  /** Without versions. */
  readonly of: readonly string[];
  readonly kind: CodeKind;
  /**
   * Each one of: an option, alone or with `=` and a value; `-~e`, a bundle of short options with this letter;
   * `-o=text`, an option with this value, in its own word or not; `!verb`, the first word that is no option; `^-c`, an
   * option before that word; `.`, any. `*` at the end or the beginning matches any text. Values are compared without
   * case.
   */
  readonly arguments: readonly string[];
}

/**
 * What is known to run code from its arguments. It helps you look, and decides nothing: a program that is not in it may
 * do the same. `docs/internals/warnings.md` has the same table.
 */
export const codeTable: readonly CodeRow[] = [
  row('node nodejs bun tsx ts-node', 'code', '-~e -~p --eval --print --import=data:* --loader=data:*'),
  row('node nodejs bun tsx ts-node', 'code', '--experimental-loader=data:* --require=data:*'),
  row(
    'node nodejs bun tsx ts-node',
    'also',
    '-r --require --import --loader --experimental-loader --preload',
  ),
  row('deno', 'code', '!eval !repl'),
  row('python py pypy', 'code', '-~c'),
  row('perl ruby lua luajit', 'code', '-~e -~E'),
  row('perl', 'loads', '-M* -m* -d:* -I*'),
  row('ruby', 'loads', '-r* -I*'),
  row('php', 'code', '-r* -B* -R* -E* --run --process-begin --process-code --process-end'),
  row('php', 'loads', '-d=auto_prepend_file* -d=extension* -d=zend_extension*'),
  row('r rscript julia elixir groovy scala', 'code', '-~e -~E --eval --print'),
  row('erl', 'code', '-eval -run -s'),
  row('guile tclsh expect', 'code', '-c'),
  row('sbcl racket emacs emacsclient', 'code', '-e --eval --execute -f --funcall -l --load'),
  row('osascript', 'code', '-e -l'),
  row('awk gawk mawk nawk', 'code', '.'),
  row('sed gsed', 'command', 'e 1e* $e* */e */ge */eg *;e*'),
  row('vi vim nvim view ex gvim', 'command', '-c -c* --cmd -S +*'),
  row('gdb lldb', 'command', '-ex -eval-command --eval-command -iex -x --command -o --one-line -s --source'),
  row(
    'ssh scp sftp autossh',
    'command',
    '-o=proxycommand* -o=localcommand* -o=knownhostscommand* -o=include*',
  ),
  row(
    'ssh scp sftp autossh',
    'command',
    '-o=permitlocalcommand* -o=pkcs11provider* -o=securitykeyprovider* -F -F*',
  ),
  row('scp sftp', 'command', '-S -S* -D'),
  row(
    'git',
    'command',
    '^-c ^-c* ^--config-env ^--exec-path ^--git-dir --upload-pack -u --receive-pack --exec *ext::*',
  ),
  row('hg', 'command', '--config'),
  row('svn', 'command', '--config-option --config-dir'),
  row('tar gtar bsdtar', 'command', '--checkpoint-a* --to-c* --use-c* -I -I* --rsh* --info-s* --new-v* -F'),
  row('zip', 'command', '-TT --unzip-command'),
  row('rsync', 'command', '-~e --rsh --rsync-path'),
  row('find', 'command', '-exec -execdir -ok -okdir'),
  row('fd fdfind', 'command', '-x -X --exec --exec-batch'),
  row('xargs parallel watch entr at systemd-run tmux screen', 'command', '.'),
  row('script su runuser flock', 'command', '-~c --command --session-command'),
  row('env', 'command', '-~S -S* --split-string'),
  row('socat', 'command', '*exec:* *system:* *shell:*'),
  row('nc ncat netcat', 'command', '-~e -~c --exec --sh-exec --lua-exec'),
  row('nmap', 'loads', '--script --datadir --servicedb'),
  row('tcpdump', 'command', '-z'),
  row('man', 'command', '-P -H --pager --html'),
  row('wget', 'command', '-e --execute --use-askpass --config'),
  row('curl', 'loads', '-K --config --engine'),
  row('openssl', 'loads', '-engine -provider -provider-path'),
  row('gcc cc g++ c++ clang', 'loads', '-wrapper -B* -fplugin*'),
  row('make gmake', 'command', '-f* --file --makefile -C* --directory --eval -E shell=*'),
  row('just rake gradle mvn ant ninja cmake', 'command', '-f -P -E -I --init-script --justfile --shell -b'),
  row(
    'docker podman nerdctl',
    'machine',
    '^-H ^-H* ^--host ^--context ^-c ^--config ^--connection ^--url --remote',
  ),
  row(
    'docker podman nerdctl',
    'admin',
    '--privileged *docker.sock* *podman.sock* *containerd.sock* --cap-add=all',
  ),
  row(
    'docker podman nerdctl',
    'reaches',
    '--pid=host --net=host --network=host --ipc=host --uts=host --userns=host',
  ),
  row(
    'docker podman nerdctl',
    'reaches',
    '--cgroupns=host --cap-add=*sys_* --device --volumes-from -v=/:* --volume=/:*',
  ),
  row(
    'docker podman nerdctl',
    'reaches',
    '--security-opt=*unconfined --security-opt=*disable --security-opt=*false',
  ),
  row('npx npm pnpm pnpx yarn bun bunx', 'source', '--registry --userconfig --globalconfig --@*'),
  row(
    'npx npm pnpm pnpx yarn bun bunx',
    'loads',
    '--prefix --script-shell --node-options --shell --shell-emulator',
  ),
  row('pnpm yarn', 'loads', '-C --dir --cwd --pnpmfile --use-yarnrc --config.*'),
  row('uvx uv pipx', 'source', '-i -f --index --index-url --default-index --extra-index-url --find-links'),
  row('uvx uv pipx', 'source', '--config-file --pip-args'),
  row('uvx uv', 'also', '--with --with-editable --with-requirements'),
  row('uvx uv pipx', 'loads', '-p=*/* --python=*/*'),
  row('dotnet', 'loads', '!exec --additional-deps --additionalprobingpath --depsfile --runtimeconfig'),
  row(
    'java',
    'loads',
    '-javaagent:* -agentlib:* -agentpath:* -Xbootclasspath* -XX:Flags* -XX:VMOptionsFile*',
  ),
  row('java', 'command', '-XX:OnError* -XX:OnOutOfMemoryError*'),
  row('mshta wscript cscript rundll32 regsvr32 msiexec forfiles wmic certutil', 'command', '.'),
];

function row(of: string, kind: CodeKind, tokens: string): CodeRow {
  return { of: of.split(' '), kind, arguments: tokens.split(' ') };
}
