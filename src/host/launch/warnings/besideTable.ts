/** Files that programs look for where they start, and follow. */
export interface BesideRow {
  /** The programs that do. */
  readonly of: readonly string[];
  /**
   * Below the working directory; `{bin}` is the name of the command that a package brings, `{package}` a package, and
   * `{module}` what stands behind `python -m`.
   */
  readonly files: readonly string[];
  /** Whether they look in the folders above, too. */
  readonly isAboveToo: boolean;
  readonly decides: Decides;
}

/** What in a file changes what runs. */
export type Decides =
  /** That it is there. */
  | { readonly kind: 'all' }
  /** Settings of these names; `*` matches the beginning of any name. */
  | { readonly kind: 'settings' | 'yaml'; readonly names: readonly string[] }
  /** Lines with a path: a version is harmless. */
  | { readonly kind: 'paths' }
  /** Environment variables that decide which code runs; nothing else in it counts. */
  | { readonly kind: 'variables' }
  /** What `bin` says of the command; nothing else in it counts. */
  | { readonly kind: 'bin' };

const all: Decides = { kind: 'all' };
const npm = 'npx npm pnpx pnpm bunx bun yarn';

/** What `docs/internals/warnings.md` lists as the files beside a command. */
export const besideTable: readonly BesideRow[] = [
  above(
    npm,
    '.npmrc',
    settings(
      'script-shell shell node-options registry *:registry prefix local-prefix globalconfig userconfig call package ' +
        'git node-gyp nodedir python editor viewer browser onload-script init-module init.module cache proxy ' +
        'https-proxy http-proxy noproxy ca cafile strict-ssl replace-registry-host workspace workspaces global dir ' +
        'pnpmfile global-pnpmfile store-dir modules-dir virtual-store-dir use-node-version node-version ' +
        'node-mirror:release global-dir global-bin-dir yarn-path',
    ),
  ),
  above(npm, 'package.json', { kind: 'bin' }),
  above(npm, 'node_modules/.bin/{bin} node_modules/.bin/{bin}.cmd node_modules/.bin/{bin}.exe', all),
  above(npm, 'node_modules/{package}/package.json', all),
  above('node tsx ts-node bun', 'node_modules/{package}/package.json', all),
  above('pnpm pnpx', '.pnpmfile.cjs .pnpmfile.mjs pnpmfile.js', all),
  above(
    'pnpm pnpx',
    'pnpm-workspace.yaml',
    yaml(
      'scriptShell shell nodeOptions registry registries prefix pnpmfile globalPnpmfile configDependencies ' +
        'useNodeVersion executionEnv storeDir modulesDir virtualStoreDir cacheDir proxy httpProxy httpsProxy noProxy ' +
        'ca cafile strictSsl',
    ),
  ),
  above(
    'yarn',
    '.yarnrc.yml',
    yaml(
      'yarnPath plugins npmRegistryServer npmPublishRegistry npmScopes npmRegistries httpProxy httpsProxy ' +
        'enableStrictSsl httpsCaFilePath caFilePath networkSettings globalFolder cacheFolder unsafeHttpWhitelist',
    ),
  ),
  above('yarn', '.yarnrc .pnp.cjs .pnp.loader.mjs', all),
  here(
    'bun bunx',
    'bunfig.toml',
    settings(
      'preload run.shell run.bun install.registry install.scopes install.ca install.cafile install.globalDir',
    ),
  ),
  here('bun bunx', '.env .env.local .env.development .env.production', { kind: 'variables' }),
  above('deno', 'deno.json deno.jsonc', all),
  above('python py pypy uv uvx poetry pip', '.python-version', { kind: 'paths' }),
  above(`${npm} node python py pypy ruby`, '.tool-versions', { kind: 'paths' }),
  above('uv', 'uv.toml', all),
  here('python py pypy', '{module}.py {module}.pyc {module}/__init__.py {module}/__main__.py', all),
  above(
    'docker-compose podman-compose',
    'compose.yaml compose.yml docker-compose.yaml docker-compose.yml compose.override.yaml compose.override.yml ' +
      'docker-compose.override.yaml docker-compose.override.yml',
    all,
  ),
  here('docker-compose podman-compose', '.env', { kind: 'variables' }),
  above('dotnet dnx', 'nuget.config NuGet.Config', all),
];

function here(of: string, files: string, decides: Decides, isAboveToo = false): BesideRow {
  return { of: of.split(' '), files: files.split(' '), isAboveToo, decides };
}

function above(of: string, files: string, decides: Decides): BesideRow {
  return here(of, files, decides, true);
}

function settings(names: string): Decides {
  return { kind: 'settings', names: names.split(' ') };
}

function yaml(names: string): Decides {
  return { kind: 'yaml', names: names.split(' ') };
}
