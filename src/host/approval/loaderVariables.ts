/**
 * Environment variables that decide which code a program loads, where it finds other programs, or where
 * a package is fetched from: setting one can turn a harmless command into another one.
 */
const names = new Set(
  [
    'PATH PATHEXT SHELL COMSPEC HOME USERPROFILE XDG_CONFIG_HOME IFS',
    'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE ELECTRON_RUN_AS_NODE BUN_OPTIONS',
    'PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONUSERBASE PYTHONEXECUTABLE PYTHONBREAKPOINT PYTHONWARNINGS',
    'PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE',
    'BASH_ENV ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND ZDOTDIR FPATH PSMODULEPATH',
    'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME CLASSPATH MAVEN_OPTS GRADLE_OPTS',
    'LUA_PATH LUA_CPATH LUA_INIT PHPRC PHP_INI_SCAN_DIR R_PROFILE R_PROFILE_USER GOFLAGS RUSTC_WRAPPER',
    'GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES',
    'GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_ASKPASS GIT_PAGER GIT_EDITOR GIT_EXTERNAL_DIFF GIT_TEMPLATE_DIR',
    'EDITOR VISUAL PAGER BROWSER DOCKER_HOST DOCKER_CONFIG',
  ].flatMap((line) => line.split(' ')),
);

const prefixes = [
  'LD_',
  'DYLD_',
  'NPM_CONFIG_',
  'UV_',
  'PIP_',
  'GIT_CONFIG',
  'BASH_FUNC_',
  'DOTNET_',
  'CORECLR_',
  'COR_',
  'COMPLUS_',
];

/** Names are compared without case: Windows and npm do so as well. */
export function isLoaderVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return names.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
}
