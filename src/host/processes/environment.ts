/**
 * The variables that a server's process inherits: what programs need to find their way, and nothing
 * that may hold a secret of another program's. A definition names whatever else its server needs.
 */
const inherited = new Set(
  [
    'PATH HOME USER LOGNAME SHELL TERM LANG LANGUAGE TZ TMPDIR DISPLAY',
    'XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY',
    'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE',
    'NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR PYENV_ROOT JAVA_HOME GOPATH GOROOT',
    'CARGO_HOME RUSTUP_HOME DOTNET_ROOT RBENV_ROOT ASDF_DIR ASDF_DATA_DIR',
    'APPDATA LOCALAPPDATA HOMEDRIVE HOMEPATH USERNAME USERPROFILE SYSTEMDRIVE SYSTEMROOT WINDIR COMSPEC',
    'PATHEXT TEMP TMP PROGRAMFILES PROGRAMFILES(X86) PROGRAMDATA PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS OS',
  ].flatMap((names) => names.split(' ')),
);

/** True for a variable that every server gets; its value is no secret, but for that of a proxy. */
export function isInherited(name: string): boolean {
  const upper = name.toUpperCase();
  return inherited.has(upper) && !upper.endsWith('_PROXY');
}

/**
 * The environment of a server's process: the safe base, and over it what the definition says (basic/
 * authorization: a stdio server takes its credentials from the environment).
 */
export function environmentFor(
  defined: Readonly<Record<string, string>>,
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const base = Object.entries(own).filter(([name, value]) => {
    // A function exported by bash starts with `()`, and would be run by the next bash.
    const isSafe = inherited.has(name.toUpperCase()) || name.startsWith('LC_');
    return isSafe && value?.startsWith('()') === false;
  });
  return mergeEnvironments([Object.fromEntries(base), defined], platform);
}

/**
 * Variables of several layers, a later one over an earlier one. On Windows `Path` and `PATH` are one
 * variable, and a process that is given both gets either of them: it is the later one, spelled as there.
 */
export function mergeEnvironments(
  layers: readonly NodeJS.ProcessEnv[],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const merged = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    // Whatever a caller says of its types: the system would be given the text "undefined".
    if (typeof value === 'string') {
      merged.set(platform === 'win32' ? name.toUpperCase() : name, [name, value]);
    }
  }
  return Object.fromEntries(merged.values());
}
