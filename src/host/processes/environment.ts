/**
 * The variables that a server's process inherits: what most programs need, and nothing that may be a secret of another
 * program. A definition names everything else that its server needs.
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

/** True for a variable that every server gets and that isn't secret. The URL of a proxy may have a password. */
export function isInherited(name: string): boolean {
  const upper = name.toUpperCase();
  return inherited.has(upper) && !upper.endsWith('_PROXY');
}

/**
 * The environment of a server's process: the inherited variables, overridden by those of the definition
 * (basic/authorization: a stdio server takes its credentials from the environment).
 */
export function environmentFor(
  defined: Readonly<Record<string, string>>,
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const base = Object.entries(own).filter(([name, value]) => {
    // The value of a function exported by bash begins with `()`, and another bash would run it.
    const isSafe = inherited.has(name.toUpperCase()) || name.startsWith('LC_');
    return isSafe && value?.startsWith('()') === false;
  });
  return mergeEnvironments([Object.fromEntries(base), defined], platform);
}

/**
 * Merges variables of several layers; later ones override earlier ones. On Windows `Path` and `PATH` are one variable, and
 * a process that gets both sees either of them: only the later one is kept, with its spelling.
 */
export function mergeEnvironments(
  layers: readonly NodeJS.ProcessEnv[],
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const merged = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    // Even if the types say so: the system would get the text "undefined".
    if (typeof value === 'string') {
      merged.set(platform === 'win32' ? name.toUpperCase() : name, [name, value]);
    }
  }
  return Object.fromEntries(merged.values());
}
